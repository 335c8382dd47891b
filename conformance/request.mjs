/** @typedef {'admin' | 'viewer' | 'client' | 'session' | 'unknown' | 'none'} Role the caller; `unknown` sends a token that no server knows */
/**
 * @typedef {object} Request
 * @property {string} method
 * @property {string} path sent as it is, without normalization
 * @property {Record<string, string>} [headers]
 * @property {string | Buffer} [body]
 * @property {Role} [role] `admin` if absent
 */

export const FLAG = '/api/admin/events/';
export const SEARCH = '/api/admin/search/events';
export const TOKENS = '/api/admin/invite-link/tokens';
export const ELSEWHERE = '/api/admin/no-such-path';

export const JSON_TYPE = { 'content-type': 'application/json' };

/** @type {(path: string, others?: Partial<Request>) => Request} */
export const get = (path, others = {}) => ({ method: 'GET', path, ...others });

/** @type {(name: string) => Request} */
export const getFlag = (name) => get(`${FLAG}${encodeURIComponent(name)}`);

/** @type {(parameters: Record<string, string | number>) => Request} */
export const search = (parameters) => get(`${SEARCH}?${new URLSearchParams(/** @type {Record<string, string>} */ (parameters))}`);

/** @type {(body: string | Buffer, headers?: Record<string, string>) => Request} */
export const create = (body, headers = JSON_TYPE) => ({ method: 'POST', path: TOKENS, headers, body });

/** @type {(body: unknown) => Request} */
export const createFrom = (body) => create(JSON.stringify(body));

/** Returns the parameters of a search, and none for any other request. @type {(request: Request) => URLSearchParams} */
export const parametersOf = ({ path }) => new URLSearchParams(path.startsWith(`${SEARCH}?`) ? path.slice(SEARCH.length + 1) : '');

/** Returns the values in `IS:a,b`. @type {(parameter: string) => string[]} */
export const valuesIn = (parameter) =>
  parameter
    .replace(/^IS(_ANY_OF)?:/, '')
    .split(',')
    .map((value) => value.trim());

/** Returns the fields of a JSON body, or undefined if the body is no JSON. @type {(request: Request) => any} */
export function fieldsOf({ body }) {
  try {
    return JSON.parse(String(body));
  } catch {
    return undefined;
  }
}
