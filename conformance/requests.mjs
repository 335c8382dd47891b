import { hash } from 'node:crypto';
import { send } from './send.mjs';

/** @typedef {import('./send.mjs').Request} Request */
/** @typedef {{id: number, createdAt: string, type: string, createdByUserId: number | null, project: string | null, featureName: string | null, data: unknown}} LoggedEvent */
/** @typedef {{events: LoggedEvent[], total: number}} Log the newest thousand events, and the total number */

const SEARCH = '/api/admin/search/events';
const CREATE = '/api/admin/invite-link/tokens';

/** Number of pseudo-random combinations of filters. They are the same for the same log. */
const COMBINATIONS = 150;
const VALUES = 25;

/**
 * @param {import('./options.mjs').Side} peer
 * @returns {Promise<Log>}
 */
export async function readLog(peer) {
  const { status, body } = await send(peer, { method: 'GET', path: `${SEARCH}?limit=1000` });
  if (status !== 200)
    throw new Error(
      `${peer.url} responded with ${status} to a search. Check that it is an Unleash server, 6.0 or later, and that the token is an administrator's.`,
    );
  return body;
}

/**
 * Creates requests with values from the log, and with values that no log contains.
 * @param {Log} log
 * @returns {Request[]}
 */
export function createReads(log) {
  return [...flags(log), ...filters(log), ...pages(log), ...combinations(log), ...rejected(), ...strangers(), ...elsewhere()];
}

/**
 * Creates requests for existing signup tokens, those with users first.
 * @param {import('./options.mjs').Side} peer
 * @returns {Promise<Request[]>}
 */
export async function createTokenReads(peer) {
  const { body } = await send(peer, { method: 'GET', path: CREATE });
  /** @type {{secret: string, users: unknown[]}[]} */
  const tokens = body.tokens;
  return tokens
    .sort((a, b) => b.users.length - a.users.length)
    .slice(0, VALUES)
    .map(({ secret }) => get(`${CREATE}/${secret}`));
}

/** @type {(parameters: Record<string, string | number>) => Request} */
const search = (parameters) =>
  get(`${SEARCH}?${new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]))}`);

/** @type {(path: string, others?: Partial<Request>) => Request} */
const get = (path, others = {}) => ({ method: 'GET', path, ...others });

/** @type {(log: Log) => Request[]} */
function flags({ events }) {
  const names = valuesOf(events, ({ featureName }) => featureName);
  const [first = 'one', second = 'other'] = names;
  const unknown = [`${first},${second}`, ` ${first} `, 'no-such-flag', 'ÄÖÜ', 'a b', '%25', "'; DROP TABLE events; --", '🏁'];
  return [...names, ...unknown].map((name) => get(`/api/admin/events/${encodeURIComponent(name)}`));
}

/** @type {(log: Log) => Request[]} */
function filters({ events }) {
  const features = valuesOf(events, ({ featureName }) => featureName);
  const types = valuesOf(events, ({ type }) => type);
  const projects = valuesOf(events, ({ project }) => project);
  const users = valuesOf(events, ({ createdByUserId }) => createdByUserId);
  const days = valuesOf(events, ({ createdAt }) => createdAt.slice(0, 10));
  return [
    ...features.map((name) => search({ feature: `IS:${name}` })),
    ...types.map((type) => search({ type: `IS:${type}` })),
    ...types.map((type, index) => search({ type: `IS_ANY_OF:${type},${types[(index + 1) % types.length]}`, limit: 20 })),
    ...projects.map((project) => search({ project: `IS:${project}` })),
    ...users.map((id) => search({ createdBy: `IS:${id}` })),
    search({ createdBy: `IS_ANY_OF:${users.join(',')}` }),
    search({ feature: `IS_ANY_OF:${features.slice(0, 5).join(', ')}` }),
    search({ feature: 'IS:no-such-flag' }),
    search({ type: 'IS:no-such-type' }),
    search({ project: 'IS:no-such-project' }),
    search({ createdBy: 'IS:987654321' }),
    ...days.flatMap((day) => [
      search({ from: `IS:${day}`, to: `IS:${day}` }),
      search({ from: `IS:${day}` }),
      search({ to: `IS:${day}` }),
      search({ from: `IS:${shift(day, 1)}` }),
      search({ to: `IS:${shift(day, -1)}` }),
    ]),
    ...wordsOf(events).map((query) => search({ query })),
  ];
}

/** @type {(log: Log) => Request[]} */
function pages({ total }) {
  const limits = [1, 2, 10, 50, 1000];
  const offsets = [0, 1, 7, Math.floor(total / 2), Math.max(0, total - 1), total, total + 1];
  return [get(SEARCH), get(`${SEARCH}/`), ...limits.flatMap((limit) => offsets.map((offset) => search({ limit, offset })))];
}

/** @type {(log: Log) => Request[]} */
function combinations({ events }) {
  /** @type {[string, (string | number)[]][]} */
  const choices = [
    ['feature', valuesOf(events, ({ featureName }) => featureName).map((name) => `IS:${name}`)],
    ['type', valuesOf(events, ({ type }) => type).map((type) => `IS:${type}`)],
    ['project', valuesOf(events, ({ project }) => project).map((project) => `IS:${project}`)],
    ['createdBy', valuesOf(events, ({ createdByUserId }) => createdByUserId).map((id) => `IS:${id}`)],
    ['query', wordsOf(events)],
    ['from', valuesOf(events, ({ createdAt }) => `IS:${createdAt.slice(0, 10)}`)],
    ['limit', [1, 5, 20]],
    ['offset', [0, 1, 3]],
  ];
  return Array.from({ length: COMBINATIONS }, (_, n) =>
    search(
      Object.fromEntries(
        choices.flatMap(([name, values]) => {
          const roll = chance(`${n} ${name}`);
          return values.length > 0 && roll % 3 === 0 ? [[name, values[Math.floor(roll / 3) % values.length] ?? '']] : [];
        }),
      ),
    ),
  );
}

/** @returns {Request[]} requests that break the rules of spec 4.2 */
function rejected() {
  const wrong = [
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
    'from=2026-01-01',
    'from=IS:2026-1-1',
    'from=IS:2026-02-30',
    'from=IS:2026-13-01',
    'from=IS:yesterday',
    'to=IS:',
    'to=2026-01-01',
    'from=IS:2026-12-31&to=IS:2026-01-01',
    'limit=10&limit=20',
    'feature=IS:a&feature=IS:b',
    'unknown=1',
    'query=',
    'query=%25',
    'query=_',
    'query=%5C',
    "query='",
    'query=%00',
    'feature=IS:%00',
  ];
  return wrong.map((parameters) => get(`${SEARCH}?${parameters}`));
}

/** @returns {Request[]} requests without a token, or with an unknown one */
function strangers() {
  const paths = [SEARCH, '/api/admin/events/any-flag', '/api/admin/no-such-path', `${CREATE}/0123456789abcdef`];
  return paths.flatMap((path) => [get(path, { token: 'none' }), get(path, { token: 'unknown' })]);
}

/** @returns {Request[]} requests to unknown paths, or with unknown methods */
function elsewhere() {
  return [
    get('/api/admin/no-such-path'),
    get('/api/admin/events/%E0%A4%A'),
    get('/api/admin/events/100%'),
    get('/api/admin/events/a%00b'),
    get(`${CREATE}/no-such-token`),
    { method: 'DELETE', path: SEARCH },
    { method: 'PUT', path: '/api/admin/events/any-flag' },
  ];
}

/**
 * Creates requests for signup tokens: valid ones, and ones that are rejected.
 * @param {Date} now
 * @returns {Request[]}
 */
export function createCreations(now) {
  const inDays = (/** @type {number} */ days) => new Date(now.getTime() + days * 86_400_000).toISOString();
  const soon = inDays(7);
  const json = (/** @type {unknown} */ body) => creation(JSON.stringify(body));
  return [
    ...[1, 7, 20].map((days) => json({ name: `conformance ${days}`, expiresAt: inDays(days) })),
    ...['ÄÖÜ 🏁', ' spaced ', "o'clock", 'x'.repeat(255)].map((name) => json({ name, expiresAt: soon })),
    json({ name: 'offset', expiresAt: `${soon.slice(0, 19)}+02:00` }),
    json({ name: 'past', expiresAt: '2020-01-01T00:00:00.000Z' }),
    json({ name: 'far', expiresAt: inDays(400) }),
    json({ name: 'unknown field', expiresAt: soon, colour: 'red' }),
    json({ expiresAt: soon }),
    json({ name: 'no date' }),
    json({ name: '', expiresAt: soon }),
    json({ name: '   ', expiresAt: soon }),
    json({ name: 7, expiresAt: soon }),
    json({ name: null, expiresAt: soon }),
    json({ name: ['list'], expiresAt: soon }),
    ...['tomorrow', '2026-02-30T00:00:00Z', '2030-01-01', 7, null, ''].map((expiresAt) => json({ name: 'date', expiresAt })),
    json([]),
    json(null),
    json({}),
    creation(''),
    creation('{"name":'),
    creation(JSON.stringify({ name: 'plain', expiresAt: soon }), { 'content-type': 'text/plain' }),
    creation(JSON.stringify({ name: 'form', expiresAt: soon }), { 'content-type': 'application/x-www-form-urlencoded' }),
    creation(JSON.stringify({ name: 'x'.repeat(110 * 1024), expiresAt: soon })),
    { ...json({ name: 'stranger', expiresAt: soon }), token: 'none' },
    { ...json({ name: 'stranger', expiresAt: soon }), token: 'unknown' },
  ];
}

/** @type {(body: string, headers?: Record<string, string>) => Request} */
function creation(body, headers = { 'content-type': 'application/json' }) {
  return { method: 'POST', path: CREATE, headers, body };
}

/**
 * Returns different values, the most frequent first.
 * @type {<T>(events: LoggedEvent[], read: (event: LoggedEvent) => T | null) => T[]}
 */
function valuesOf(events, read) {
  const counts = new Map();
  for (const event of events) {
    const value = read(event);
    if (value !== null && value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([value]) => value)
    .slice(0, VALUES);
}

/** Returns parts of the payloads, in upper and in original case. @type {(events: LoggedEvent[]) => string[]} */
function wordsOf(events) {
  const words = valuesOf(
    events
      .flatMap((event) => (JSON.stringify(event.data) ?? '').match(/[A-Za-z][A-Za-z-]{3,}/g) ?? [])
      .map((word) => /** @type {any} */ ({ word })),
    (/** @type {any} */ { word }) => /** @type {string} */ (word),
  );
  return words.map((word, index) => (index % 3 === 0 ? word.toUpperCase() : word.slice(0, 12)));
}

/** Returns a pseudo-random number, which is the same for the same text. @param {string} text */
function chance(text) {
  return Number.parseInt(hash('md5', text).slice(0, 8), 16);
}

/** @type {(day: string, days: number) => string} */
function shift(day, days) {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}
