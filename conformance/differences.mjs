import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import * as evidence from './evidence.mjs';
import { FLAG, fieldsOf, parametersOf, SEARCH, TOKENS } from './request.mjs';
import { isOfUtcDays } from './utc-days.mjs';

/** @typedef {import('./compare.mjs').Difference} Difference */
/** @typedef {import('./request.mjs').Request} Request */
/** @typedef {import('./send.mjs').Answer} Answer */
/**
 * @typedef {object} Context
 * @property {Request} request
 * @property {{peer: Answer, gateway: Answer}} answers
 * @property {import('./options.mjs').Sides} sides
 * @property {import('./log.mjs').Log} log of the peer
 * @property {boolean} isMirror whether the gateway's log is a copy that the command `mirror` made
 */
/** @typedef {(difference: Difference, context: Context) => boolean | Promise<boolean>} Rule */

const WILDCARDS = /[%_\\]/;
const RFC_3339 = /^\d{4}-\d{2}-\d{2}t([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;
const DAY_MS = 86_400_000;

/**
 * Rules that recognize the differences of docs/differences.md, by the name of the line. Each rule is narrow: it does not explain
 * a response that differs in any other way.
 * @type {Record<string, Rule>}
 */
export const RULES = {
  'whole-history': ({ path, peer, gateway }, { request }) =>
    path === 'events' &&
    request.path.startsWith(FLAG) &&
    isDeepStrictEqual(peer, list(gateway).slice(0, 50)) &&
    list(gateway).length > 50,

  summaries: ({ path, gateway }) => /^events\[\]\.(label|summary|groupType|groupId)$/.test(path) && gateway === undefined,

  ties: ({ path }) => path === 'events of one moment',

  'literal-query': ({ path }, context) =>
    isSearchResult(path) && WILDCARDS.test(parametersOf(context.request).get('query') ?? '') && evidence.isLiteral(context),

  'data-only': ({ path, peer }, context) =>
    isSearchResult(path) &&
    evidence.isLiteral(context) &&
    evidence.findsWithin(context, ['DATA', 'PRE_DATA', 'TAGS'], path, peer),

  'utc-days': ({ path }, context) => isSearchResult(path) && isOfUtcDays(context),

  'exact-flag-name': ({ path }, context) =>
    context.request.path.startsWith(FLAG) && /^(toggleName|events|totalEvents)$/.test(path) && evidence.isExactly(context),

  'no-list-of-all': (difference, { request }) => isStatus(difference, 200, 404) && request.path === FLAG,

  'newer-filters': (difference, context) =>
    !context.log.hasNewerFilters &&
    (isSearchResult(difference.path) || isStatus(difference, 200, 400)) &&
    evidence.appliesNewerFilters(context),

  'no-groups': (difference, { request }) => isStatus(difference, 200, 400) && parametersOf(request).has('groupId'),

  'exact-parameters': (difference, { request }) => isStatus(difference, 200, 400) && evidence.hasOtherForm(parametersOf(request)),

  'strict-paging': (difference, { request }) => isStatus(difference, 200, 400) && !evidence.isPage(parametersOf(request)),

  'empty-filter': (difference, { request }) => isStatus(difference, 200, 400) && evidence.hasEmptyList(parametersOf(request)),

  'impossible-day': (difference, { request }) =>
    isStatus(difference, 200, 400) && evidence.hasImpossibleDay(parametersOf(request)),

  'bounded-search': (difference, { request }) => isStatus(difference, 200, 400) && evidence.isTooLong(parametersOf(request)),

  'bounded-page': (difference, { answers: { gateway } }) =>
    isStatus(difference, 200, 400) && /larger than one response can hold/.test(String(gateway.body?.message)),

  'no-server-error': (difference) => isStatus(difference, 500, 400),

  'one-error-body': ({ path, gateway }, { answers: { peer } }) =>
    peer.status >= 400 && peer.body?.id === undefined && /^(content-type|id|name)$/.test(path) && gateway !== undefined,

  'error-words': ({ path }, { answers: { peer } }) =>
    peer.status >= 400 && /^(message|details|type|path|permissions|defaultHidden)\b/.test(path),

  'no-options': (difference, { request }) =>
    request.method === 'OPTIONS' && (isStatus(difference, 200, 404) || isStatus(difference, 200, 401)),

  'exact-paths': (difference, { request }) => {
    const [path = ''] = request.path.split('?');
    return isStatus(difference, 200, 404) && path !== SEARCH && path.replaceAll(/\/+/g, '/').toLowerCase() === SEARCH;
  },

  'same-origin': (difference, { request: { role, headers = {} } }) =>
    isStatus(difference, 200, 403) && role === 'session' && /^(same|cross)-site$/.test(headers['sec-fetch-site'] ?? ''),

  'ended-session': ({ path, peer, gateway }, { request: { headers = {} } }) =>
    path === 'name' && peer === 'AuthenticationRequired' && gateway === 'UnauthorizedError' && headers.cookie !== undefined,

  'token-first': (difference, { request: { role = 'admin' } }) =>
    !['admin', 'viewer', 'session'].includes(role) && (isStatus(difference, 400, 401) || isStatus(difference, 400, 403)),

  'body-before-permission': (difference, { request }) =>
    ['viewer', 'session'].includes(request.role ?? '') &&
    request.method === 'POST' &&
    (isStatus(difference, 403, 400) || isStatus(difference, 403, 415)),

  location: ({ path, gateway }) => path === 'location' && gateway === '/api/admin/invite-link/tokens/<secret>',

  'role-description': ({ path, peer }) => path === 'role.description' && peer === undefined,

  'users-in-full': ({ path, peer }) => path.startsWith('users[].') && peer === undefined,

  'users-by-id': ({ path, gateway }) => path === 'order of users' && isDeepStrictEqual(gateway, list(gateway).toSorted(byNumber)),

  'expired-is-disabled': ({ path, peer, gateway }, { answers }) =>
    path === 'enabled' && peer === true && gateway === false && timeOf(answers.gateway.body.expiresAt) < Date.now(),

  'no-cap': ({ path, peer, gateway }, { request }) =>
    path === 'expiresAt' && timeOf(gateway) === timeOf(fieldsOf(request)?.expiresAt) && timeOf(peer) < timeOf(gateway),

  'dead-invitation': (difference, { request }) =>
    isStatus(difference, 201, 400) && timeOf(fieldsOf(request)?.expiresAt) < Date.now() + DAY_MS,

  'date-time': (difference, { request }) => isStatus(difference, 201, 400) && !RFC_3339.test(fieldsOf(request)?.expiresAt),

  'name-is-a-text': (difference, { request }) => isStatus(difference, 201, 400) && !isName(fieldsOf(request)?.name),

  'bounded-nesting': (difference, { request: { body }, answers: { gateway } }) =>
    isStatus(difference, 201, 400) &&
    String(body).includes('['.repeat(64)) &&
    /must not be nested deeper than 64 levels/.test(String(gateway.body?.message)),

  'no-repeats': (difference, { request: { headers = {} }, answers: { gateway } }) =>
    isStatus(difference, 201, 400) &&
    headers['idempotency-key'] !== undefined &&
    /cannot store idempotency keys/.test(String(gateway.body?.message)),

  'valid-utf-8': (difference, { request: { body } }) => isStatus(difference, 201, 400) && Buffer.isBuffer(body) && !isUtf8(body),

  'utf-8-only': (difference, { request: { headers = {} } }) =>
    (isStatus(difference, 201, 415) || isStatus(difference, 400, 415)) &&
    (hasOtherCharset(headers['content-type'] ?? '') || headers['content-encoding'] !== undefined),

  'utf8-is-utf-8': (difference, { request: { headers = {} }, isMirror }) =>
    isStatus(difference, 415, isMirror ? 403 : 201) && /charset=utf8$/i.test(headers['content-type'] ?? ''),

  'tokens-of-unleash': ({ path }, { request, answers: { peer, gateway }, isMirror }) =>
    isMirror &&
    path === 'status' &&
    request.path.startsWith(TOKENS) &&
    ((peer.status === 201 && gateway.status === 403 && gateway.body?.name === 'NotSupportedHereError') ||
      (peer.status === 200 && gateway.status === 404)),
};

/**
 * @param {Difference} difference
 * @param {Context} context
 * @returns {Promise<string | undefined>} the name of the line that explains the difference
 */
export async function explain(difference, context) {
  for (const [name, rule] of Object.entries(RULES)) {
    if (await rule(difference, context)) return name;
  }
  return undefined;
}

/** @type {(value: unknown) => any[]} */
const list = (value) => /** @type {any[]} */ (value);

/** @type {(a: number, b: number) => number} */
const byNumber = (a, b) => a - b;

/** @type {(text: unknown) => number} */
const timeOf = (text) => Date.parse(String(text));

/** @type {(path: string) => boolean} */
const isSearchResult = (path) => path === 'events' || path === 'total';

/** @type {(difference: Difference, peer: number, gateway: number) => boolean} */
const isStatus = (difference, peer, gateway) =>
  difference.path === 'status' && difference.peer === peer && difference.gateway === gateway;

/** @type {(type: string) => boolean} */
const hasOtherCharset = (type) => /charset=/i.test(type) && !/charset=("?)utf-8\1$/i.test(type);

/** @type {(name: unknown) => boolean} */
const isName = (name) => typeof name === 'string' && name.trim() !== '' && name.isWellFormed();

const DOCUMENT = new URL('../docs/differences.md', import.meta.url);

/**
 * Reads the description of each difference from docs/differences.md.
 * @returns {Promise<Map<string, string>>}
 */
export async function readReasons() {
  return parseReasons(await readFile(DOCUMENT, 'utf8'));
}

/** @param {string} text the content of docs/differences.md @returns {Map<string, string>} */
export function parseReasons(text) {
  const lines = [...text.matchAll(/^\| `([\w-]+)` +\| (.*?) \|/gm)].map(([, name = '', what = '']) => ({
    name,
    what: what.trim(),
  }));
  const names = lines.map(({ name }) => name);
  const missing = Object.keys(RULES).filter((name) => !names.includes(name));
  const idle = names.filter((name) => !(name in RULES));
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  if (missing.length > 0) throw new Error(`docs/differences.md has no line for ${missing.join(', ')}.`);
  if (idle.length > 0) throw new Error(`docs/differences.md has lines without a rule: ${idle.join(', ')}.`);
  if (repeated.length > 0) throw new Error(`docs/differences.md has several lines for ${repeated.join(', ')}.`);
  return new Map(lines.map(({ name, what }) => [name, what]));
}
