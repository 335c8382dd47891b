import type { RequestListener } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createCredential } from '../../src/auth/credential.js';
import { createUnleashUsers, findUnleashProblem } from '../../src/auth/unleash-users.js';
import { installFakeClock, removeFakeClock } from '../support/clock.js';
import { startHttpServer } from '../support/http-server.js';

const json =
  (body: unknown, status = 200): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const ADMIN = {
  user: { username: 'ci', permissions: ['ADMIN'], projects: ['*'], internalAdminTokenUserId: -42 },
  permissions: [{ permission: 'CREATE_FEATURE' }, { permission: 'ADMIN' }],
};
const USER = {
  user: { id: 7, name: 'Vera', email: 'vera@example.com' },
  permissions: [{ permission: 'CREATE_FEATURE', project: 'default' }],
};
const HASH = /^[0-9a-f]{64}$/;
const UNAVAILABLE = { name: 'ServiceUnavailableError', message: expect.stringMatching(/Try again/) };

let server: Awaited<ReturnType<typeof startHttpServer>>;
/** The requests that wait for their response, by token. */
let held: Map<string, (respond: RequestListener) => void>;
const hold: RequestListener = (request, response) =>
  void held.set(String(request.headers.authorization), (respond) => respond(request, response));
/** Creates lookups of secrets in the started server. */
const connect = (cacheMs: number) => {
  const { token, session } = createUnleashUsers({ url: server.url, cacheMs });
  return {
    token: (secret: string) => token(createCredential('token', secret)),
    session: (secret: string) => session(createCredential('session', secret)),
  };
};
const start = async (respond: RequestListener, cacheMs = 60_000) => {
  held = new Map();
  server = await startHttpServer(respond);
  return connect(cacheMs).token;
};
/** Waits until the server has received `count` requests, for at most a few seconds. */
const arrived = async (count: number) => {
  for (let n = 0; n < 500 && server.requests.length < count; n += 1) await pause(10);
  expect(server.requests.length).toBeGreaterThanOrEqual(count);
};

beforeEach(installFakeClock);
afterEach(async () => {
  removeFakeClock();
  await server.stop();
});

describe('the caller that Unleash reports for a token', () => {
  test('an admin API token → ADMIN of all projects, with the name of the token', async () => {
    const find = await start(json(ADMIN));
    expect(await find('*:*.secret')).toEqual({
      id: expect.stringMatching(HASH),
      name: 'ci',
      email: null,
      userId: -42,
      role: 'ADMIN',
      projects: 'all',
      expiresAt: null,
    });
    const [{ url, headers } = {}] = server.requests;
    expect([url, headers?.authorization, headers?.accept]).toEqual(['/api/admin/user', '*:*.secret', 'application/json']);
    expect(headers).not.toHaveProperty('cookie');
  });

  test('a user without ADMIN → VIEWER of events that have a project, with the email as name', async () => {
    const find = await start(json(USER));
    expect(await find('user:secret')).toEqual({
      id: 'unleash-user-7',
      name: 'vera@example.com',
      email: 'vera@example.com',
      userId: 7,
      role: 'VIEWER',
      projects: 'any project',
      expiresAt: null,
    });
  });

  test.each([
    [{ projects: ['one', 'two'] }, { projects: ['one', 'two'] }],
    [{ projects: [] }, { projects: [] }],
    [{ projects: ['one', '*'] }, { projects: 'any project' }],
    [{ projects: null }, { projects: 'any project' }],
    [{ email: '' }, { name: 'Vera', email: null }],
    [
      { email: null, name: '' },
      { name: 'unknown', email: null },
    ],
    [{ id: null }, { id: expect.stringMatching(HASH), userId: null }],
    [
      { id: 0, internalAdminTokenUserId: -42 },
      { id: expect.stringMatching(HASH), userId: 0 },
    ],
    [{ id: -1 }, { id: expect.stringMatching(HASH), userId: -1 }],
  ])('a user with %j → %j', async (user, caller) => {
    const find = await start(json({ ...USER, user: { ...USER.user, ...user } }));
    expect(await find('secret')).toMatchObject(caller);
  });

  test.each<[string, RequestListener]>([
    ['in JSON', json({}, 401)],
    ['without a type', (_, response) => response.writeHead(401).end()],
  ])('401 %s → no caller', async (_, respond) => {
    expect(await (await start(respond))('secret')).toBeNull();
  });

  test('403 → PermissionError that names the tokens to use', async () => {
    const message = expect.stringContaining('personal access token');
    await expect((await start(json({}, 403)))('secret')).rejects.toMatchObject({ name: 'PermissionError', message });
  });

  test.each([
    ['a caller', json(ADMIN)],
    ['a 401', json({}, 401)],
  ])('%s → cached for the configured time', async (_, respond) => {
    const find = await start(respond, 200);
    await find('secret');
    jest.advanceTimersByTime(199);
    await find('secret');
    expect(server.requests).toHaveLength(1);
    jest.advanceTimersByTime(2);
    await find('secret');
    await find('another');
    expect(server.requests).toHaveLength(3);
  });

  test('50 lookups at once, without a cache → one request', async () => {
    const find = await start(hold, 0);
    const found = Promise.all(Array.from({ length: 50 }, () => find('secret')));
    await arrived(1);
    held.get('secret')?.(json(ADMIN));
    expect((await found).every((caller) => caller?.name === 'ci')).toBe(true);
    expect(server.requests).toHaveLength(1);
  });

  test.each(['ü', 'a\nb', 'a\u0000b', 'flaggw_revoked'])(
    '%j, a gateway token or not valid as a header → no caller and no request',
    async (secret) => {
      const find = await start(json(ADMIN));
      expect(await find(secret)).toBeNull();
      expect(server.requests).toHaveLength(0);
    },
  );
});

describe('the caller that Unleash reports for a session', () => {
  const SESSION = 's:secret.signature/x';
  const startSessions = async (respond: RequestListener, cacheMs?: number) => {
    await start(respond, cacheMs);
    return connect(cacheMs ?? 60_000);
  };

  test('a session → its user, and the request to Unleash has only this cookie', async () => {
    const find = await startSessions(json(USER));
    expect(await find.session(SESSION)).toMatchObject({ name: 'vera@example.com', role: 'VIEWER', projects: 'any project' });
    const [{ url, headers } = {}] = server.requests;
    expect([url, headers?.cookie]).toEqual(['/api/admin/user', `unleash-session=${encodeURIComponent(SESSION)}`]);
    expect(headers).not.toHaveProperty('authorization');
  });

  test('sessions and tokens of one user → one caller id; a token without a user → its own id', async () => {
    const find = await startSessions((request, response) => {
      const isAdminToken = request.headers.authorization?.startsWith('*') === true;
      json(isAdminToken ? ADMIN : USER)(request, response);
    });
    const found = [find.session(SESSION), find.session('another'), find.token('user:1'), find.token('*:1'), find.token('*:2')];
    const ids = (await Promise.all(found)).map((caller) => caller?.id);
    expect(ids.slice(0, 3)).toEqual(Array(3).fill('unleash-user-7'));
    expect(new Set(ids).size).toBe(3);
  });

  test('cached like a token, and never mistaken for one', async () => {
    const find = await startSessions((request, response) => {
      const isSession = request.headers.cookie !== undefined;
      (isSession ? json(ADMIN) : json({}, 401))(request, response);
    }, 200);
    const caller = await find.session(SESSION);
    expect(await find.session(SESSION)).toBe(caller);
    expect(await find.token(SESSION)).toBeNull();
    expect(server.requests).toHaveLength(2);
    jest.advanceTimersByTime(201);
    await find.session(SESSION);
    expect(server.requests).toHaveLength(3);
  });

  test('logged out → no caller once the cache expires', async () => {
    let respond = json(USER);
    const find = await startSessions((request, response) => respond(request, response), 200);
    await find.session(SESSION);
    respond = json({}, 401);
    jest.advanceTimersByTime(199);
    expect(await find.session(SESSION)).not.toBeNull();
    jest.advanceTimersByTime(2);
    expect(await find.session(SESSION)).toBeNull();
  });

  test.each(['', 'a b', 'a;b', 'a,b', 'a"b', 'a\\b', 'ü', 'a\nb', 'flaggw_revoked'])(
    '%j, a gateway token or not valid in a cookie → no caller and no request',
    async (secret) => {
      const find = await startSessions(json(ADMIN));
      expect(await find.session(secret)).toBeNull();
      expect(server.requests).toHaveLength(0);
    },
  );
});

describe('many tokens at once', () => {
  const tryWrongTokens = (find: Awaited<ReturnType<typeof start>>, count: number) =>
    Promise.allSettled(Array.from({ length: count }, (_, n) => find(`wrong-${n}`)));

  test('40 unknown tokens → 32 requests at a time; a recently valid token does not wait', async () => {
    const find = await start((request, response) => {
      const isValid = request.headers.authorization === 'valid';
      (isValid ? json(ADMIN) : hold)(request, response);
    });
    await find('valid');
    jest.advanceTimersByTime(60_001);
    const attempts = tryWrongTokens(find, 40);
    await arrived(1 + 32);
    expect(await find('valid')).toMatchObject({ role: 'ADMIN' });
    expect(held.size).toBe(32);
    for (const respond of held.values()) respond(json({}, 401));
    await arrived(1 + 32 + 1 + 8);
    for (const respond of [...held.values()].slice(32)) respond(json({}, 401));
    expect(new Set((await attempts).map((result) => result.status === 'fulfilled' && result.value))).toEqual(new Set([null]));
  });

  test('a token that is not valid any more → waits like unknown ones', async () => {
    let respond = json(ADMIN);
    const find = await start((request, response) => respond(request, response), 1);
    await find('revoked');
    respond = json({}, 401);
    jest.advanceTimersByTime(2);
    expect(await find('revoked')).toBeNull();
    respond = hold;
    jest.advanceTimersByTime(2);
    const attempts = tryWrongTokens(find, 32);
    await arrived(2 + 32);
    const again = find('revoked');
    jest.advanceTimersByTime(2_000);
    await expect(again).rejects.toMatchObject({ message: expect.stringContaining('being checked') });
    expect(server.requests).toHaveLength(2 + 32);
    await attempts;
  });

  test('more than two seconds in the queue → ServiceUnavailableError', async () => {
    const find = await start(hold);
    const attempts = tryWrongTokens(find, 40);
    await arrived(32);
    jest.advanceTimersByTime(2_000);
    for (const result of await attempts) expect(result).toMatchObject({ status: 'rejected', reason: UNAVAILABLE });
    expect(server.requests).toHaveLength(32);
  });
});

describe('a response of Unleash that cannot be used', () => {
  test.each<[string, RequestListener, RegExp]>([
    ['500', json({}, 500), /responded with 500 application\/json to GET \/api\/admin\/user\.$/],
    ['404', json({}, 404), /responded with 404/],
    ['429', json({}, 429), /responded with 429/],
    ['204', (_, response) => response.writeHead(204).end(), /responded with 204/],
    ['HTML', (_, response) => response.setHeader('content-type', 'text/html').end('{}'), /with 200 text\/html .* not a user/],
    ['no content type', (_, response) => response.end(JSON.stringify(ADMIN)), /responded with 200 without a type .* not a user/],
    ['other JSON', json({ user: null }), /user/],
    ['a redirect', (_, response) => response.writeHead(302, { location: '/elsewhere' }).end(), /fetch failed/],
    ['a closed connection', (request) => request.socket.destroy(), /fetch failed/],
  ])('%s → ServiceUnavailableError with its cause, not cached', async (_, respond, cause) => {
    const find = await start(respond);
    for (let n = 0; n < 2; n += 1) {
      const message = expect.stringMatching(cause);
      await expect(find('secret')).rejects.toMatchObject({ ...UNAVAILABLE, cause: expect.objectContaining({ message }) });
    }
    expect(server.requests.map(({ url }) => url)).toEqual(['/api/admin/user', '/api/admin/user']);
  });

  test('no response within two seconds → ServiceUnavailableError', async () => {
    const find = await start(hold);
    const found = expect(find('secret')).rejects.toMatchObject(UNAVAILABLE);
    await arrived(1);
    jest.advanceTimersByTime(2_000);
    await found;
  });
});

describe('checking UNLEASH_URL', () => {
  test('401 in JSON → no problem, and no token was sent', async () => {
    await start(json({}, 401));
    expect(await findUnleashProblem(server.url)).toBeNull();
    expect(server.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([['/api/admin/user', undefined]]);
  });

  test.each<[string, RequestListener]>([
    ['responded with 200 application/json', json(ADMIN)],
    ['responded with 401 without a type', (_, response) => response.writeHead(401).end()],
    ['responded with 204 without a type', (_, response) => response.writeHead(204).end()],
    ['responded with 302 without a type', (_, response) => response.writeHead(302, { location: '/elsewhere' }).end()],
  ])('%s → reported as the problem', async (problem, respond) => {
    await start(respond);
    expect(await findUnleashProblem(server.url)).toBe(`${server.url} ${problem} to GET /api/admin/user`);
  });

  test('a closed connection → reported with its reason', async () => {
    await start((request) => request.socket.destroy());
    expect(await findUnleashProblem(server.url)).toMatch(/ is unavailable: (?!fetch failed)\S/);
  });

  test('no response within two seconds → reported as timed out', async () => {
    await start(hold);
    const problem = findUnleashProblem(server.url);
    await arrived(1);
    jest.advanceTimersByTime(2_000);
    expect(await problem).toBe(`${server.url} is unavailable: timed out`);
  });
});
