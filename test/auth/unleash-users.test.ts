import type { RequestListener } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createUnleashUsers, findUnleashProblem } from '../../src/auth/unleash-users.js';
import { startClock, stopClock } from '../support/clock.js';
import { startHttpServer } from '../support/http-server.js';

const json =
  (body: unknown, status = 200): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const ADMIN = {
  user: { username: 'ci', permissions: ['ADMIN'], projects: ['*'], internalAdminTokenUserId: -42 },
  permissions: [{ permission: 'CREATE_FEATURE' }, { permission: 'ADMIN' }],
};
const PERSON = {
  user: { id: 7, name: 'Vera', email: 'vera@example.com' },
  permissions: [{ permission: 'CREATE_FEATURE', project: 'default' }],
};
const UNAVAILABLE = { name: 'ServiceUnavailableError', message: expect.stringMatching(/Try again/) };

let server: Awaited<ReturnType<typeof startHttpServer>>;
/** Answers requests later, each by its token. */
let held: Map<string, (answer: RequestListener) => void>;
const hold: RequestListener = (request, response) =>
  void held.set(String(request.headers.authorization), (answer) => answer(request, response));
const start = async (answer: RequestListener, cacheMs = 60_000) => {
  held = new Map();
  server = await startHttpServer(answer);
  return createUnleashUsers({ url: server.url, cacheMs });
};
/** Once so many requests have come; those that come at all do within seconds. */
const arrived = async (count: number) => {
  for (let n = 0; n < 500 && server.requests.length < count; n += 1) await pause(10);
  expect(server.requests.length).toBeGreaterThanOrEqual(count);
};

beforeEach(startClock);
afterEach(async () => {
  stopClock();
  await server.stop();
});

describe('who a token belongs to, as a server tells', () => {
  test('an administrator’s API token → ADMIN of everything, by the name of the token', async () => {
    const find = await start(json(ADMIN));
    expect(await find('*:*.secret')).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{64}$/),
      name: 'ci',
      email: null,
      userId: -42,
      role: 'ADMIN',
      projects: 'all',
    });
    const [{ url, headers } = {}] = server.requests;
    expect([url, headers?.authorization, headers?.accept]).toEqual(['/api/admin/user', '*:*.secret', 'application/json']);
  });

  test('a person without ADMIN → VIEWER of what belongs to a project, by their email', async () => {
    const find = await start(json(PERSON));
    expect(await find('user:secret')).toEqual({
      id: expect.any(String),
      name: 'vera@example.com',
      email: 'vera@example.com',
      userId: 7,
      role: 'VIEWER',
      projects: 'any project',
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
    [{ id: null }, { userId: null }],
    [{ id: 0, internalAdminTokenUserId: -42 }, { userId: 0 }],
  ])('a person with %j → %j', async (user, caller) => {
    const find = await start(json({ ...PERSON, user: { ...PERSON.user, ...user } }));
    expect(await find('secret')).toMatchObject(caller);
  });

  test.each<[string, RequestListener]>([
    ['in JSON', json({}, 401)],
    ['without a type', (_, response) => response.writeHead(401).end()],
  ])('401 %s → nobody', async (_, answer) => {
    expect(await (await start(answer))('secret')).toBeNull();
  });

  test('403 → PermissionError that tells which tokens are for this', async () => {
    const message = expect.stringContaining('personal access token');
    await expect((await start(json({}, 403)))('secret')).rejects.toMatchObject({ name: 'PermissionError', message });
  });

  test.each([
    ['the caller', json(ADMIN)],
    ['that nobody has it', json({}, 401)],
  ])('what was answered holds for a while: %s', async (_, answer) => {
    const find = await start(answer, 200);
    await find('secret');
    jest.advanceTimersByTime(199);
    await find('secret');
    expect(server.requests).toHaveLength(1);
    jest.advanceTimersByTime(2);
    await find('secret');
    await find('another');
    expect(server.requests).toHaveLength(3);
  });

  test('who asks meanwhile waits for the same answer, also where none is kept', async () => {
    const find = await start(hold, 0);
    const found = Promise.all(Array.from({ length: 50 }, () => find('secret')));
    await arrived(1);
    held.get('secret')?.(json(ADMIN));
    expect((await found).every((caller) => caller?.name === 'ci')).toBe(true);
    expect(server.requests).toHaveLength(1);
  });

  test.each(['ü', 'a\nb', 'a\u0000b', 'flaggw_revoked'])(
    '%j, which no header holds or the gateway made → nobody, and nobody is asked',
    async (secret) => {
      const find = await start(json(ADMIN));
      expect(await find(secret)).toBeNull();
      expect(server.requests).toHaveLength(0);
    },
  );
});

describe('many tokens at once', () => {
  const guess = (find: Awaited<ReturnType<typeof start>>, count: number) =>
    Promise.allSettled(Array.from({ length: count }, (_, n) => find(`guess-${n}`)));

  test('only some are asked for at a time, and one that was valid does not wait for them', async () => {
    const find = await start((request, response) => {
      const isValid = request.headers.authorization === 'valid';
      (isValid ? json(ADMIN) : hold)(request, response);
    });
    await find('valid');
    jest.advanceTimersByTime(60_001);
    const guesses = guess(find, 40);
    await arrived(1 + 32);
    expect(await find('valid')).toMatchObject({ role: 'ADMIN' });
    expect(held.size).toBe(32);
    for (const answer of held.values()) answer(json({}, 401));
    await arrived(1 + 32 + 1 + 8);
    for (const answer of [...held.values()].slice(32)) answer(json({}, 401));
    expect(new Set((await guesses).map((result) => result.status === 'fulfilled' && result.value))).toEqual(new Set([null]));
  });

  test('one that is valid no longer waits as others do', async () => {
    let answer = json(ADMIN);
    const find = await start((request, response) => answer(request, response), 1);
    await find('revoked');
    answer = json({}, 401);
    jest.advanceTimersByTime(2);
    expect(await find('revoked')).toBeNull();
    answer = hold;
    jest.advanceTimersByTime(2);
    const guesses = guess(find, 32);
    await arrived(2 + 32);
    const again = find('revoked');
    jest.advanceTimersByTime(2_000);
    await expect(again).rejects.toMatchObject({ message: expect.stringContaining('being checked') });
    expect(server.requests).toHaveLength(2 + 32);
    await guesses;
  });

  test('those whose turn does not come in time → ServiceUnavailableError', async () => {
    const find = await start(hold);
    const guesses = guess(find, 40);
    await arrived(32);
    jest.advanceTimersByTime(2_000);
    for (const result of await guesses) expect(result).toMatchObject({ status: 'rejected', reason: UNAVAILABLE });
    expect(server.requests).toHaveLength(32);
  });
});

describe('a server that does not tell', () => {
  test.each<[string, RequestListener, RegExp]>([
    ['500', json({}, 500), /answered 500 application\/json to GET \/api\/admin\/user\.$/],
    ['404', json({}, 404), /answered 404/],
    ['429', json({}, 429), /answered 429/],
    ['204', (_, response) => response.writeHead(204).end(), /answered 204/],
    ['a page', (_, response) => response.setHeader('content-type', 'text/html').end('{}'), /answered 200 text\/html .* no user/],
    ['no type', (_, response) => response.end(JSON.stringify(ADMIN)), /answered 200 without a type .* no user/],
    ['another JSON', json({ user: null }), /user/],
    ['a redirection', (_, response) => response.writeHead(302, { location: '/elsewhere' }).end(), /fetch failed/],
    ['nothing', (request) => request.socket.destroy(), /fetch failed/],
  ])('%s → ServiceUnavailableError, whose cause is for the log; it is not kept', async (_, answer, cause) => {
    const find = await start(answer);
    for (let n = 0; n < 2; n += 1) {
      const message = expect.stringMatching(cause);
      await expect(find('secret')).rejects.toMatchObject({ ...UNAVAILABLE, cause: expect.objectContaining({ message }) });
    }
    expect(server.requests.map(({ url }) => url)).toEqual(['/api/admin/user', '/api/admin/user']);
  });

  test('silence for two seconds → ServiceUnavailableError', async () => {
    const find = await start(hold);
    const found = expect(find('secret')).rejects.toMatchObject(UNAVAILABLE);
    await arrived(1);
    jest.advanceTimersByTime(2_000);
    await found;
  });
});

describe('the URL of a server', () => {
  test('that asks for a token in JSON has nothing wrong with it, and is sent none', async () => {
    await start(json({}, 401));
    expect(await findUnleashProblem(server.url)).toBeNull();
    expect(server.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([['/api/admin/user', undefined]]);
  });

  test.each<[string, RequestListener]>([
    ['answered 200 application/json', json(ADMIN)],
    ['answered 401 without a type', (_, response) => response.writeHead(401).end()],
    ['answered 204 without a type', (_, response) => response.writeHead(204).end()],
    ['answered 302 without a type', (_, response) => response.writeHead(302, { location: '/elsewhere' }).end()],
  ])('that %s is told as such', async (problem, answer) => {
    await start(answer);
    expect(await findUnleashProblem(server.url)).toBe(`${server.url} ${problem} to GET /api/admin/user`);
  });

  test('that does not answer is told with the reason', async () => {
    await start((request) => request.socket.destroy());
    expect(await findUnleashProblem(server.url)).toMatch(/ does not answer: (?!fetch failed)\S/);
  });

  test('that is silent is told after two seconds', async () => {
    await start(hold);
    const problem = findUnleashProblem(server.url);
    await arrived(1);
    jest.advanceTimersByTime(2_000);
    expect(await problem).toBe(`${server.url} does not answer: timed out`);
  });
});
