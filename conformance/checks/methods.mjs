import { valuesOf } from '../log.mjs';
import { ELSEWHERE, get, getFlag, SEARCH, TOKENS } from '../request.mjs';

/** Methods that change nothing in any version of Unleash. */
const HARMLESS = ['HEAD', 'OPTIONS', 'TRACE'];
const WRITING = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** @type {(known: import('../checks.mjs').Known) => import('../request.mjs').Request[]} */
export function methods({ log: { events } }) {
  const [feature = 'no-such-flag'] = valuesOf(events, ({ featureName }) => featureName);
  const { path: flag } = getFlag(feature);
  const reads = [SEARCH, flag, ELSEWHERE];
  return [
    ...[...reads, `${TOKENS}/no-such-token`].flatMap((path) => HARMLESS.map((method) => ({ method, path }))),
    ...reads.flatMap((path) => WRITING.map((method) => ({ method, path }))),
    { method: 'OPTIONS', path: TOKENS },
    { method: 'OPTIONS', path: SEARCH, role: 'none' },
    { method: 'OPTIONS', path: SEARCH, role: 'none', headers: PREFLIGHT },
    ...['?limit=1', '?limit=0', '?type=IS:feature-created', '?type[]=IS:a', '?feature=a'].map((query) => ({
      ...get(`${SEARCH}${query}`),
      method: 'HEAD',
    })),
  ];
}

/** A browser sends these headers before a page of another origin may send an API token. */
const PREFLIGHT = {
  origin: 'https://other.example.com',
  'access-control-request-method': 'GET',
  'access-control-request-headers': 'authorization',
};
