import { execFile } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CHECKS } from '../../conformance/checks.mjs';
import { conform } from '../../conformance/conform.mjs';
import { startHttpServer } from '../support/http-server.js';
import { type RawResponse, sendRaw } from '../support/send-raw.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TOKENS = '/api/admin/invite-link/tokens';
const NAMES = ['', 'line\nbreak', 'a,b', ' spaced ', '100%', 'checkout', 'checkout', 'checkout', 'search'];
const CLIENT_TOKEN = 'a-client-token';

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
  peer = await startProxy(asUnleash);
});
afterAll(async () => {
  await peer?.stop();
  await gateway?.stop();
});

/** Starts a server that forwards each request to the gateway, and changes the responses. */
function startProxy(tamper: Tamper): Promise<Server> {
  return startHttpServer(async (request, response) => {
    const { authorization, host: _, connection: __, ...headers } = request.headers as Record<string, string>;
    const { method = '', url: path = '' } = request;
    const token = authorization ?? null;
    const forwarded = await sendRaw(gateway.url, path, { method, token, headers, body: await buffer(request) });
    const { status, headers: fields, text, body } = { ...forwarded, ...tamper({ method, path, token }, forwarded) };
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

const options = (server: Server) => ({
  peer: { url: peer.url, tokens: { admin: gateway.adminToken, viewer: gateway.viewerToken, client: CLIENT_TOKEN } },
  gateway: { url: server.url, tokens: { admin: gateway.adminToken, viewer: gateway.viewerToken, client: CLIENT_TOKEN } },
  create: true,
});

/** Runs one check against a server that changes the responses of the gateway. */
async function check(name: string, tamper: Tamper) {
  const server = await startProxy((request, response) => ({ ...asUnleash(request, response), ...tamper(request, response) }));
  try {
    const checks = CHECKS.filter((one) => one.name === name);
    if (checks.length !== 1) throw new Error(`There is no check ${name}.`);
    return await conform(options(server), checks);
  } finally {
    await server.stop();
  }
}

const whole = (response: RawResponse) => ({ ...response.body, total: response.body.total + 1 });
const isSearch = ({ method, path }: Received) => method === 'GET' && path.startsWith('/api/admin/search/events');
const accepted = json(200, { events: [], total: 0 });

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
