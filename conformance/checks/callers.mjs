import { valuesOf } from '../log.mjs';
import { create, createFrom, ELSEWHERE, get, getFlag, SEARCH, search, TOKENS } from '../request.mjs';

/** @typedef {import('../checks.mjs').Known} Known */
/** @typedef {import('../request.mjs').Request} Request */

/** @type {(role: import('../request.mjs').Role, requests: Request[]) => Request[]} */
const as = (role, requests) => requests.map((request) => ({ ...request, role }));

/** Returns creations that a caller who is no administrator must not make. @type {(known: Known) => Request[]} */
function creations({ now, mayCreate }) {
  if (!mayCreate) return [];
  const expiresAt = new Date(now.getTime() + 7 * 86_400_000).toISOString();
  return [
    createFrom({ name: 'not allowed', expiresAt }),
    createFrom({}),
    create('{"name":'),
    create('text', { 'content-type': 'text/plain' }),
  ];
}

/** @type {(known: Known) => Request[]} */
export function strangers(known) {
  const paths = [SEARCH, '/api/admin/events/any-flag', ELSEWHERE, `${TOKENS}/0123456789abcdef`];
  const reads = paths.flatMap((path) => [get(path), { ...get(path), method: 'HEAD' }]);
  const requests = [...reads, get(`${SEARCH}?limit=0`), ...creations(known)];
  // The gateway delays the responses to an address from its sixth unknown token on. `sessions` sends one besides these.
  const few = [get(SEARCH), { ...get(SEARCH), method: 'HEAD' }, get(ELSEWHERE), ...creations(known).slice(0, 1)];
  return [...as('none', requests), ...as('unknown', few)];
}

/** Returns what a viewer may read, and requests that a viewer must not make. @type {(known: Known) => Request[]} */
function requestsOfViewer(known) {
  const { events, total } = known.log;
  const features = valuesOf(events, ({ featureName }) => featureName).slice(0, 10);
  const types = valuesOf(events, ({ type }) => type);
  const projects = valuesOf(events, ({ project }) => project).slice(0, 5);
  return [
    ...[1, 50, 1000].flatMap((limit) => [0, 3, Math.floor(total / 2), total].map((offset) => search({ limit, offset }))),
    ...features.map(getFlag),
    // Some of these types only have events without a project, which viewers do not see.
    ...types.map((type) => search({ type: `IS:${type}` })),
    ...projects.map((project) => search({ project: `IS:${project}` })),
    ...events.slice(0, 5).map(({ id }) => search({ id: `IS:${id}` })),
    search({ query: 'secret' }),
    search({ limit: 0 }),
    { ...get(SEARCH), method: 'HEAD' },
    get(`${TOKENS}/0123456789abcdef`),
    get(ELSEWHERE),
    ...creations(known),
  ];
}

/** @type {(known: Known) => Request[]} */
export const viewers = (known) => as('viewer', requestsOfViewer(known));

/** @type {(known: Known) => Request[]} */
export function sessions(known) {
  const [name = ''] = known.peer.tokens.session?.split('=') ?? [];
  const ended = { cookie: `${name}=ended`, 'sec-fetch-site': 'same-origin' };
  const sites = ['same-origin', 'same-site', 'cross-site', 'none'];
  return [
    ...as('session', [...requestsOfViewer(known), ...sites.map((site) => get(SEARCH, { headers: { 'sec-fetch-site': site } }))]),
    ...as('none', [get(SEARCH, { headers: ended })]),
  ];
}

/** @type {(known: Known) => Request[]} */
export const clients = (known) =>
  as('client', [
    get(SEARCH),
    { ...get(SEARCH), method: 'HEAD' },
    get(`${SEARCH}?limit=0`),
    get('/api/admin/events/any-flag'),
    get(`${TOKENS}/0123456789abcdef`),
    get(ELSEWHERE),
    ...creations(known),
  ]);
