import { execFile } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CHECKS } from '../../conformance/checks.mjs';
import { conform } from '../../conformance/conform.mjs';
import { startHttpServer } from '../support/http-server.js';
import { type RawResponse, sendRaw } from '../support/send-raw.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TOKENS = '/api/admin/invite-link/tokens';
const NAMES = ['', 'line\nbreak', 'a,b', ' spaced ', '100%', 'checkout', 'checkout', 'checkout', 'search'];
const CLIENT_TOKEN = 'a-client-token';
/** The servers of this test accept this cookie as the session of the viewer. */
const SESSION_COOKIE = 'unleash-session=of-viewer';

/** A status by which the server closes the connection without a response. */
const DROPPED = 0;

type Server = Awaited<ReturnType<typeof startHttpServer>>;
interface Received {
  readonly method: string;
  readonly path: string;
  readonly token: string | null;
}
/** Returns the response that the caller gets in place of the gateway's. */
type Tamper = (request: Received, response: RawResponse) => Partial<RawResponse>;

let gateway: TestGateway;
let secret: string;
let peer: Server;
let wholeLog: readonly { readonly createdAt: string }[];
beforeAll(async () => {
  gateway = await startTestGateway();
  secret = (await gateway.postJson(TOKENS, { name: 'Joined', expiresAt: '2099-01-01T00:00:00Z' })).body.secret;
  for (const id of [901, 902, 903]) await gateway.prisma.user.create({ data: { id, signups: { create: { secret } } } });
  await gateway.prisma.event.createMany({
    data: NAMES.map((featureName, index) => ({
      type: index % 2 === 0 ? 'feature-updated' : 'feature-created',
      createdBy: 'somebody',
      createdByUserId: index % 3,
      project: index % 4 === 0 ? null : 'default',
      environment: index % 2 === 0 ? 'production' : null,
      featureName,
      data: { name: featureName, rollout: index },
    })),
  });
  // This event is on the next day in Tokyo.
  await gateway.prisma.event.create({
    data: { type: 'feature-created', createdBy: 'somebody', createdAt: '2026-03-01T20:00:00Z' },
  });
  peer = await startProxy(asUnleash);
});
afterAll(async () => {
  await peer?.stop();
  await gateway?.stop();
});

/** Starts a server that forwards each request to the gateway, and changes the responses. */
function startProxy(tamper: Tamper): Promise<Server> {
  return startHttpServer(async (request, response) => {
    const { authorization, cookie, host: _, connection: __, ...headers } = request.headers as Record<string, string>;
    const { method = '', url: path = '' } = request;
    const token = authorization ?? (cookie === SESSION_COOKIE ? gateway.viewerToken : null);
    const forwarded = await sendRaw(gateway.url, path, { method, token, headers, body: await buffer(request) });
    const { status, headers: fields, text, body } = { ...forwarded, ...tamper({ method, path, token }, forwarded) };
    if (status === DROPPED) return void request.socket.destroy();
    const { 'content-type': type, location } = fields;
    for (const [name, value] of Object.entries({ 'content-type': type, location })) if (value) response.setHeader(name, value);
    response.writeHead(status);
    response.end(body === undefined ? text : JSON.stringify(body));
  });
}

/** Adds what the check asks an Unleash server for. A client token gets 403 there. */
const asUnleash: Tamper = ({ method, path, token }) => {
  if (path === '/api/admin/user') return json(200, { permissions: [{ permission: 'ADMIN' }] });
  if (method === 'GET' && path === TOKENS) return json(200, { tokens: [{ secret, users: [901, 902, 903] }] });
  if (method === 'PUT' && path.startsWith(TOKENS)) return json(200, {});
  return token === CLIENT_TOKEN ? refused : {};
};

const json = (status: number, body: unknown) => ({
  status,
  body,
  headers: { 'content-type': 'application/json; charset=utf-8' },
});
const refused = json(403, { id: 'an id', name: 'PermissionError', message: 'no' });

const options = (server: Server) => {
  const { adminToken: admin, viewerToken: viewer } = gateway;
  const tokens = { admin, viewer, client: CLIENT_TOKEN, session: SESSION_COOKIE };
  return { peer: { url: peer.url, tokens }, gateway: { url: server.url, tokens }, create: true };
};

const unchanged: Tamper = () => ({});

/** Runs one check against a gateway, and optionally a peer, that changes the responses. */
async function check(name: string, tamper: Tamper, tamperPeer = unchanged, signal?: AbortSignal) {
  const [server, otherPeer] = await Promise.all(
    [tamper, tamperPeer].map((change) =>
      startProxy((request, response) => ({ ...asUnleash(request, response), ...change(request, response) })),
    ),
  );
  try {
    const checks = CHECKS.filter((one) => one.name === name);
    if (checks.length !== 1) throw new Error(`There is no check ${name}.`);
    const { peer: sidePeer, ...others } = options(server as Server);
    return await conform({ ...others, peer: { ...sidePeer, url: (otherPeer as Server).url } }, checks, signal);
  } finally {
    await server?.stop();
    await otherPeer?.stop();
  }
}

const whole = (response: RawResponse) => ({ ...response.body, total: response.body.total + 1 });
const isSearch = ({ method, path }: Received) => method === 'GET' && path.startsWith('/api/admin/search/events');
const accepted = json(200, { events: [], total: 0 });
const hasDays = ({ path }: Received) => /[?&](from|to)=/.test(path);

/** Returns fewer events of the log than there are, as for a log of more than a thousand. */
const withLargeLog: Tamper = (request, { body }) =>
  isSearch(request) && request.path.endsWith('?limit=1000') ? { body: { ...body, events: body.events.slice(1) } } : {};

/** Selects the events of the days in a time zone that is nine hours ahead of UTC, for searches without other filters. */
const inTokyo: Tamper = (request, { status }) => {
  if (!isSearch(request) || !hasDays(request) || status !== 200) return {};
  const parameters = new URL(request.path, 'http://peer').searchParams;
  const [from = '', to = '9999'] = ['from', 'to'].map((name) => parameters.get(name)?.slice('IS:'.length));
  const found = wholeLog.filter(({ createdAt }) => {
    const day = new Date(Date.parse(createdAt) + 9 * 3_600_000).toISOString().slice(0, 10);
    return day >= from && day <= to;
  });
  return { body: { events: found.slice(0, Number(parameters.get('limit') ?? 50)), total: found.length } };
};

test.each<[string, string, Tamper]>([
  [
    'a flag without its oldest event',
    'the events of a flag',
    ({ path }, { body }) =>
      path.startsWith('/api/admin/events/') && body?.events?.length > 1
        ? { body: { ...body, events: body.events.slice(0, -1) } }
        : {},
  ],
  [
    'the events of another flag',
    'the events of a flag',
    ({ path }, { body }) => (path.endsWith('line%0Abreak') ? { body: { ...body, totalEvents: body.totalEvents + 1 } } : {}),
  ],
  [
    'a flag with an odd name that is not found',
    'the events of a flag',
    ({ path }) => (path.endsWith('line%0Abreak') ? json(404, { id: 'an id', name: 'NotFoundError', message: 'no' }) : {}),
  ],
  [
    '`environment` that is ignored',
    'the filters environment, id and groupId',
    ({ path }, response) => (/[?&]environment=IS%3A/.test(path) && response.status === 200 ? { body: whole(response) } : {}),
  ],
  [
    '`id` that is ignored',
    'the filters environment, id and groupId',
    ({ path }, response) => (/[?&]id=IS%3A/.test(path) && response.status === 200 ? { body: whole(response) } : {}),
  ],
  [
    'brackets that are ignored',
    'parameters with brackets or in another case',
    ({ path }) => (path.includes('type[]') ? accepted : {}),
  ],
  [
    'another case that is ignored',
    'parameters with brackets or in another case',
    ({ path }) => (path.includes('TYPE=') ? accepted : {}),
  ],
  ['a day that rolls over', 'forms of days', ({ path }) => (path.includes('2026-11-31') ? accepted : {})],
  [
    'a viewer who sees everything',
    'viewers',
    (request, response) =>
      isSearch(request) && request.token === gateway.viewerToken && response.status === 200 ? { body: whole(response) } : {},
  ],
  ['a viewer who may create', 'viewers', ({ method }, { status }) => (method === 'POST' && status === 403 ? json(201, {}) : {})],
  [
    'a client token that may read',
    'client tokens',
    (request) => (isSearch(request) && request.token === CLIENT_TOKEN ? accepted : {}),
  ],
  [
    'a session that sees everything',
    'sessions of the UI',
    (request, response) => (isSearch(request) && request.token && response.status === 200 ? { body: whole(response) } : {}),
  ],
  [
    'a session that has ended and may read',
    'sessions of the UI',
    (request) => (isSearch(request) && !request.token ? accepted : {}),
  ],
  [
    'a stranger who may read',
    'callers without a valid token',
    (request) => (isSearch(request) && !request.token ? accepted : {}),
  ],
  ['HEAD that is unknown', 'HEAD, OPTIONS and other methods', ({ method }) => (method === 'HEAD' ? { status: 404 } : {})],
  ['OPTIONS that is an error', 'HEAD, OPTIONS and other methods', ({ method }) => (method === 'OPTIONS' ? json(400, {}) : {})],
  [
    'users in another order',
    'existing signup tokens',
    (_, { body }) => (body?.users ? { body: { ...body, users: body.users.toReversed() } } : {}),
  ],
  ['a token that is not found', 'existing signup tokens', ({ path }) => (path.endsWith(secret) ? json(404, {}) : {})],
  [
    'a date without a zone that is taken',
    'forms of expiresAt',
    ({ method }, { status }) => (method === 'POST' && status === 400 ? json(201, {}) : {}),
  ],
  [
    'UTF-16 that is taken',
    'types, charsets and encodings of a body',
    ({ method }, { status }) => (method === 'POST' && status === 415 ? json(201, {}) : {}),
  ],
  [
    'creations that are refused, though the log is no mirror',
    'the fields of a creation',
    ({ method }, { status }) =>
      method === 'POST' && status === 201 ? json(403, { id: 'an id', name: 'NotSupportedHereError', message: 'no' }) : {},
  ],
])('%s → found', async (_, name, tamper) => {
  const { unexplained } = await check(name, tamper);
  expect(unexplained.length).toBeGreaterThan(0);
});

test('a mirror → no false alarm about signup tokens', async () => {
  const mirror: Tamper = ({ method, path }, { status }) => {
    if (path === '/readyz') return json(200, { status: 'ok', mirror: {} });
    if (method === 'GET' && path.endsWith(secret)) return json(404, { id: 'an id', name: 'NotFoundError', message: 'no' });
    return method === 'POST' && status === 201 ? json(403, { id: 'an id', name: 'NotSupportedHereError', message: 'no' }) : {};
  };
  for (const name of ['existing signup tokens', 'the fields of a creation']) {
    const { unexplained, explained } = await check(name, mirror);
    expect(unexplained).toEqual([]);
    expect(explained.get('tokens-of-unleash')).toBeGreaterThan(0);
  }
});

describe.each([
  ['the whole log', unchanged],
  ['a part of the log', withLargeLog],
])('a peer in Tokyo, of which the check knows %s', (_, ofLog) => {
  beforeEach(async () => {
    wholeLog = (await gateway.send('/api/admin/search/events?limit=1000')).body.events;
  });
  const tokyo: Tamper = (request, response) => ({ ...ofLog(request, response), ...inTokyo(request, response) });

  test('days in UTC → explained', async () => {
    const { unexplained, explained } = await check('filters', unchanged, tokyo);
    expect(unexplained).toEqual([]);
    expect(explained.get('utc-days')).toBeGreaterThan(0);
  });

  test.each<[string, Tamper]>([
    ['no events', (request) => (hasDays(request) ? accepted : {})],
    [
      'a page without its last event',
      (request, { body }) => (hasDays(request) && body?.events ? { body: { ...body, events: body.events.slice(0, -1) } } : {}),
    ],
    ['a total that is too large by one', (request, response) => (hasDays(request) ? { body: whole(response) } : {})],
    ['all events', (request) => (hasDays(request) ? json(200, { events: wholeLog.slice(0, 50), total: wholeLog.length }) : {})],
  ])('%s for searches with days → found', async (_name, tamper) => {
    const { unexplained } = await check(
      'filters',
      (request, response) => (isSearch(request) ? tamper(request, response) : {}),
      tokyo,
    );
    expect(unexplained.length).toBeGreaterThan(0);
  });
});

describe('a run that ends early, after creations', () => {
  let created: string[];
  let disabled: string[];
  beforeEach(() => {
    [created, disabled] = [[], []];
  });
  /** Records the creations. The peer cannot disable the first of them. */
  const record: Tamper = ({ method, path }, { status, body }) => {
    if (method === 'POST' && status === 201) created.push(body.secret);
    if (method === 'PUT') disabled.push(path.slice(TOKENS.length + 1));
    return method === 'PUT' && disabled.length === 1 ? json(500, {}) : {};
  };
  const expectDisabled = () => {
    expect(created.length).toBeGreaterThan(5);
    expect(disabled.toSorted()).toEqual(created.toSorted());
  };
  const outcome = /Of the \d+ created signup tokens, the peer could not disable 1\.$/;

  test('by a connection that drops → each token that is known is disabled, and the error says how many are not', async () => {
    const drop: Tamper = (request, response) => (created.length > 5 ? { status: DROPPED } : record(request, response));
    const run = check('the fields of a creation', drop, record);
    await expect(run).rejects.toThrow(outcome);
    await expect(run).rejects.toThrow(/ is unavailable: /);
    expectDisabled();
  });

  test('by an interruption → the same', async () => {
    const interruption = new AbortController();
    const interrupt: Tamper = (request, response) => {
      if (created.length > 5) interruption.abort(new Error('Interrupted.'));
      return record(request, response);
    };
    const run = check('the fields of a creation', interrupt, record, interruption.signal);
    await expect(run).rejects.toThrow(outcome);
    await expect(run).rejects.toThrow(/^Interrupted\./);
    expectDisabled();
  });
});

test('a GraphQL error of the gateway → differences that nothing explains, and no failure', async () => {
  const fail: Tamper = ({ path }) => (path === '/graphql' ? json(200, { errors: [{ message: 'no' }] }) : {});
  const findMore: Tamper = (request, response) =>
    isSearch(request) && request.path.includes('query=') ? { body: whole(response) } : {};
  const { unexplained } = await check('filters', fail, findMore);
  expect(unexplained.length).toBeGreaterThan(0);
});

test('the command → exit 1 if the peer cannot disable a token that the check created', async () => {
  const stubborn = await startProxy((request, response) => ({
    ...asUnleash(request, response),
    ...(request.method === 'PUT' ? json(500, {}) : {}),
  }));
  try {
    const { adminToken } = gateway;
    const sides = ['--peer', stubborn.url, '--peer-token', adminToken, '--gateway', stubborn.url, '--token', adminToken];
    const run = promisify(execFile)(process.execPath, ['conformance/run.mjs', ...sides], { cwd: ROOT });
    await expect(run).rejects.toMatchObject({ code: 1, stdout: expect.stringMatching(/The peer could not disable \d+ of/) });
  } finally {
    await stubborn.stop();
  }
});

test('the command → exit 0 without unexplained differences, 1 with one, 2 for wrong options', async () => {
  const run = async (url: string, ...more: string[]) => {
    const { adminToken, viewerToken } = gateway;
    const sides = ['--peer', peer.url, '--peer-token', adminToken, '--gateway', url, '--token', adminToken, '--read-only'];
    const viewers = ['--peer-viewer-token', viewerToken, '--viewer-token', viewerToken];
    const args = ['conformance/run.mjs', ...sides, ...viewers, ...more];
    const done = promisify(execFile)(process.execPath, args, { cwd: ROOT });
    return done
      .then(({ stdout }) => ({ code: 0, stdout, stderr: '' }))
      .catch(({ code, stdout, stderr }) => ({ code, stdout, stderr }));
  };
  const same = await run(gateway.url);
  expect([same.code, same.stdout]).toEqual([0, expect.stringMatching(/^\d+ requests, 0 unexplained differences\./)]);
  expect(same.stdout).toContain('0 ×  client tokens, left out by the options');

  const other = await startProxy((request, response) =>
    isSearch(request) && response.status === 200 ? { body: whole(response) } : {},
  );
  try {
    const { code, stdout } = await run(other.url);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/\n {2}total\n {4}peer {5}\d+\n/)]);
  } finally {
    await other.stop();
  }
  expect(await run(gateway.url, '--client-token', 'alone')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--peer-client-token and --client-token belong together.'),
  });
});
