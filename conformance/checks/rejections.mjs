import { ELSEWHERE, FLAG, get, SEARCH, search, TOKENS } from '../request.mjs';

/** @typedef {import('../request.mjs').Request} Request */

/** @type {(queries: string[]) => Request[]} */
const searches = (queries) => queries.map((query) => get(`${SEARCH}?${query}`));

/** @returns {Request[]} requests that break the rules of spec 4.2 */
export const malformed = () =>
  searches([
    'limit=0',
    'limit=-1',
    'limit=1001',
    'limit=abc',
    'limit=1.5',
    'limit=',
    'limit=1e2',
    'offset=-1',
    'offset=abc',
    'offset=',
    'offset=99999999999',
    'feature=live-flag',
    'feature=',
    'feature=IS:',
    'feature=IS:,',
    'type=feature-created',
    'project=NOT:default',
    'createdBy=IS:abc',
    'createdBy=1',
    'createdBy=IS:1.5',
    'limit=10&limit=20',
    'feature=IS:a&feature=IS:b',
    'query=a&query=b',
    'unknown=1',
    'query=',
    'query=%25',
    'query=_',
    'query=%5C',
    "query='",
    'query=%00',
    'feature=IS:%00',
  ]);

/** @returns {Request[]} names that are nearly those of spec 4.2 */
export const otherForms = () =>
  searches([
    'type[]=IS:feature-created',
    'type[0]=IS:feature-created',
    'type%5B%5D=IS:feature-created',
    'feature[]=IS:a',
    'feature[0]=IS:a',
    'feature[a]=IS:a',
    'project[]=IS:default',
    'createdBy[]=IS:1',
    'environment[]=IS:production',
    'id[0]=IS:1',
    'query[]=a',
    'from[]=IS:2026-01-01',
    'to[0]=IS:2026-01-01',
    'limit[]=1',
    'limit[0]=1',
    'offset[]=1',
    'Feature=IS:a',
    'TYPE=IS:feature-created',
    'Project=IS:default',
    'createdby=IS:1',
    'Query=a',
    'From=IS:2026-01-01',
    'LIMIT=1',
    'Environment=IS:production',
    'groupid=IS:1',
    'features=IS:a',
    'unknown[]=1',
  ]);

/** @returns {Request[]} days that exist and days that do not, in several forms */
export const days = () =>
  searches([
    'from=2026-01-01',
    'from=IS:2026-1-1',
    'from=IS:2026-02-30',
    'from=IS:2026-13-01',
    'from=IS:2026-00-10',
    'from=IS:0000-01-01',
    'from=IS:yesterday',
    'from=IS_ANY_OF:2026-01-01',
    'from=IS:2026-01-01T00:00:00Z',
    'from=IS:%202026-01-01',
    'from=IS:2026-01-01%20',
    'from=IS:20260101',
    'from=IS:2026-01-01,2026-01-02',
    'from=',
    'to=IS:',
    'to=2026-01-01',
    'to=IS:2026-11-31',
    'to=IS:2026-02-30',
    'to=IS:0001-01-01',
    'from=IS:2028-02-29',
    'to=IS:9999-12-31',
    'from=IS:9999-12-31',
    'from=IS:2026-12-31&to=IS:2026-01-01',
  ]);

/** @returns {Request[]} texts and lists at the limits of docs/differences.md, and beyond */
export const longLists = () => [
  ...[1000, 1001, 5000].map((length) => search({ query: 'q'.repeat(length) })),
  ...[500, 501].map((length) => search({ feature: `IS_ANY_OF:${Array.from({ length }, (_, n) => `f${n}`).join(',')}` })),
  search({ createdBy: `IS_ANY_OF:${Array.from({ length: 501 }, (_, n) => n).join(',')}` }),
];

/** @returns {Request[]} paths that no server has, that cannot be decoded, or that are nearly those of spec 4 */
export const paths = () => [
  get(ELSEWHERE),
  get(`${FLAG}%E0%A4%A`),
  get(`${FLAG}100%`),
  get(`${FLAG}a%00b`),
  get(`${FLAG}a/b`),
  get(`${TOKENS}/no-such-token`),
  get(`${SEARCH.replace('search/', 'search//')}?limit=1`),
  get(`/${SEARCH}?limit=1`),
  get(`${SEARCH.replace('search', 'Search')}?limit=1`),
  get(`${SEARCH.toUpperCase()}?limit=1`),
];
