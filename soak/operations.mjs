import { randomUUID } from 'node:crypto';

/**
 * @typedef {object} Request
 * @property {string} what
 * @property {string} path
 * @property {'GET' | 'HEAD' | 'POST' | undefined} [method]
 * @property {string | null} token
 * @property {Record<string, string>} [headers]
 * @property {unknown} [body]
 * @property {(status: number, body: any) => boolean} isRight
 * @property {string} [key] the idempotency key of a creation, with which it can be sent again
 */

/**
 * @typedef {object} Log facts about the events before the load
 * @property {number} events
 * @property {{name: string, count: number}[]} flags
 * @property {{text: string, count: number}[]} texts
 */

const pick = (/** @type {any[]} */ list) => list[Math.floor(Math.random() * list.length)];
const errorIs =
  (/** @type {number} */ expected, /** @type {string} */ name) => (/** @type {number} */ status, /** @type {any} */ body) =>
    status === expected && (body.errors ? body.errors[0].extensions.name : body.name) === name;

const PAGE = `query Page($flag: String!) { events(filter: { features: [$flag] }, first: 20) { totalCount nodes { id featureName data } } }`;
const EVENT = `query One($id: Int!) { event(id: $id) { id typeName } }`;
const CREATE = `mutation Create($input: PublicSignupTokenCreateInput!, $key: String!) {
  createPublicSignupToken(input: $input, idempotencyKey: $key) { secret name enabled }
}`;

const graphql = (/** @type {string} */ query, /** @type {object} */ variables) => ({
  path: '/graphql',
  method: /** @type {const} */ ('POST'),
  body: { query, variables },
});

/** Requests the newest events of a flag. @type {(log: Log, token: string) => Omit<Request, 'what'>} */
export function askForPage(log, token) {
  const { name, count } = pick(log.flags);
  return {
    ...graphql(PAGE, { flag: name }),
    token,
    isRight: (status, { data, errors }) =>
      status === 200 && !errors && data.events.totalCount === count && data.events.nodes.length === Math.min(20, count),
  };
}

/** @typedef {Record<string, () => Omit<Request, 'what'>>} Kinds */

const invitation = () => ({ name: `soak ${randomUUID()}`, expiresAt: '2099-01-01T00:00:00.000Z' });

/** @type {(log: Log, token: string) => Omit<Request, 'what'>} */
function askForEvent(log, token) {
  const id = 1 + Math.floor(Math.random() * log.events);
  return { ...graphql(EVENT, { id }), token, isRight: (status, { data }) => status === 200 && data.event?.id === id };
}

/** @type {(log: Log, token: string) => Kinds} */
const reads = (log, token) => ({
  'flag, REST': () => {
    const { name, count } = pick(log.flags);
    const path = `/api/admin/events/${encodeURIComponent(name)}`;
    return {
      path,
      token,
      isRight: (status, body) =>
        status === 200 &&
        body.totalEvents === count &&
        body.events.length === count &&
        body.events.every((/** @type {any} */ { featureName }) => featureName === name),
    };
  },
  'search by flag, REST': () => {
    const { name, count } = pick(log.flags);
    return {
      path: `/api/admin/search/events?feature=IS:${encodeURIComponent(name)}&limit=20`,
      token,
      isRight: (status, body) => status === 200 && body.total === count && body.events.length === Math.min(20, count),
    };
  },
  'free text, REST': () => {
    const { text, count } = pick(log.texts);
    return {
      path: `/api/admin/search/events?query=${encodeURIComponent(text)}&limit=5`,
      token,
      isRight: (status, body) => status === 200 && body.total === count,
    };
  },
  'newest, REST': () => ({
    path: '/api/admin/search/events?limit=10',
    token,
    isRight: (status, body) => status === 200 && body.total >= log.events && body.events.length === 10,
  }),
  'page, GraphQL': () => askForPage(log, token),
  'event, GraphQL': () => askForEvent(log, token),
});

/** @type {(token: string) => Kinds} */
const creations = (token) => ({
  'creation, REST': () => {
    const [body, key] = [invitation(), randomUUID()];
    return {
      path: '/api/admin/invite-link/tokens',
      method: 'POST',
      token,
      headers: { 'idempotency-key': key },
      body,
      key,
      isRight: (status, token) => status === 201 && token.name === body.name && /^[0-9a-f]{32}$/.test(token.secret),
    };
  },
  'creation, GraphQL': () => {
    const [input, key] = [invitation(), randomUUID()];
    return {
      ...graphql(CREATE, { input, key }),
      token,
      key,
      isRight: (status, { data, errors }) => status === 200 && !errors && data.createPublicSignupToken.name === input.name,
    };
  },
});

/** @type {(viewer: string) => Kinds} */
const mistakes = (viewer) => ({
  'a limit of 0': () => ({ path: '/api/admin/search/events?limit=0', token: viewer, isRight: errorIs(400, 'BadDataError') }),
  'an unknown field': () => ({ ...graphql('{ nothing }', {}), token: viewer, isRight: errorIs(400, 'BadDataError') }),
  'a wrong token': () => ({
    path: '/api/admin/search/events',
    token: `flaggw_${randomUUID()}`,
    isRight: errorIs(401, 'UnauthorizedError'),
  }),
  'a viewer who creates': () => ({
    path: '/api/admin/invite-link/tokens',
    method: 'POST',
    token: viewer,
    body: invitation(),
    isRight: errorIs(403, 'PermissionError'),
  }),
  'an unknown path': () => ({ path: '/api/admin/nothing', token: viewer, isRight: errorIs(404, 'NotFoundError') }),
  'too deep a document': () => ({
    ...graphql(`{ events { nodes { ${'... on Event { '.repeat(80)} id ${'}'.repeat(80)} } } }`, {}),
    token: viewer,
    isRight: errorIs(400, 'BadDataError'),
  }),
});

/** Number of requests of each kind in a hundred. @type {Record<string, number>} */
const SHARES = {
  'flag, REST': 4,
  'search by flag, REST': 20,
  'free text, REST': 10,
  'newest, REST': 10,
  'page, GraphQL': 16,
  'event, GraphQL': 18,
  'creation, REST': 3,
  'creation, GraphQL': 3,
  'own creation, REST': 4,
  'a limit of 0': 2,
  'an unknown field': 2,
  'a wrong token': 2,
  'a viewer who creates': 2,
  'an unknown path': 2,
  'too deep a document': 2,
};

/**
 * Creates requests of all kinds, valid and invalid ones. Each request knows its correct response.
 * @param {Log} log
 * @param {{admin: string, viewer: string}} tokens
 * @returns {{next: () => Request, noteCreated: (name: string) => void}}
 */
export function createRequests(log, { admin, viewer }) {
  /** Names of acknowledged creations that no request has searched for yet. @type {string[]} */
  const created = [];
  /** Searches for an acknowledged creation, which every gateway must find at once. @returns {Omit<Request, 'what'>} */
  const ownCreation = () => {
    const name = created.pop();
    if (name === undefined) return askForEvent(log, viewer);
    const query = new URLSearchParams({ query: name, type: 'IS:public-signup-token-created', limit: '5' });
    return {
      path: `/api/admin/search/events?${query}`,
      token: viewer,
      isRight: (status, { total, events }) => status === 200 && total === 1 && events[0].data.name === name,
    };
  };
  const kinds = { ...reads(log, viewer), ...creations(admin), ...mistakes(viewer), 'own creation, REST': ownCreation };
  const deck = Object.entries(kinds).flatMap(([what, make]) => Array.from({ length: SHARES[what] ?? 0 }, () => ({ what, make })));
  return {
    next() {
      const { what, make } = pick(deck);
      return { what, ...make() };
    },
    noteCreated: (name) => created.push(name),
  };
}

/** @param {import('pg').Client} client @returns {Promise<Log>} */
export async function readLog(client) {
  const { rows: flags } = await client.query(
    `SELECT feature_name AS name, count(*)::int AS count FROM events WHERE feature_name LIKE 'flag-%' GROUP BY 1 ORDER BY 1 LIMIT 50`,
  );
  const texts = [];
  for (const text of ['group-4711"', 'group-815"', 'Rollout 30303"']) {
    const found = await client.query('SELECT count(*)::int AS count FROM events WHERE strpos(data::text, $1) > 0', [text]);
    texts.push({ text, count: found.rows[0].count });
  }
  const { rows } = await client.query('SELECT count(*)::int AS count FROM events');
  return { events: rows[0].count, flags, texts };
}
