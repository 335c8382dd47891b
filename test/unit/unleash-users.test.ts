import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createUnleashUsers } from '../../src/auth/unleash-users.js';
import { startHttpServer } from '../support/http-server.js';

type Server = Awaited<ReturnType<typeof startHttpServer>>;

const json =
  (body: unknown, status = 200): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const ADMIN = {
  user: { username: 'ci', permissions: ['ADMIN'], projects: ['*'], internalAdminTokenUserId: -42 },
  permissions: [{ permission: 'ADMIN' }],
};
const PERSON = {
  user: { id: 7, name: 'Vera', email: 'vera@example.com' },
  permissions: [{ permission: 'CREATE_FEATURE', project: 'default' }],
};

describe('who a token belongs to, as a server tells', () => {
  let server: Server;
  afterEach(() => server.stop());
  const ask = async (answer: RequestListener, cacheMs = 60_000) => {
    server = await startHttpServer(answer);
    return createUnleashUsers({ url: server.url, cacheMs });
  };

  test('an administrator’s API token → ADMIN of everything, by the name of the token', async () => {
    const find = await ask(json(ADMIN));
    expect(await find('*:*.secret')).toEqual({
      id: expect.any(String),
      name: 'ci',
      email: null,
      userId: -42,
      role: 'ADMIN',
      projects: 'all',
    });
    expect(server.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([['/api/admin/user', '*:*.secret']]);
  });

  test('a person without ADMIN → VIEWER of what belongs to a project, by their email', async () => {
    const find = await ask(json(PERSON));
    expect(await find('user:secret')).toEqual({
      id: expect.any(String),
      name: 'vera@example.com',
      email: 'vera@example.com',
      userId: 7,
      role: 'VIEWER',
      projects: 'any project',
    });
  });

  test('a token limited to projects → those alone', async () => {
    const find = await ask(json({ ...PERSON, user: { ...PERSON.user, projects: ['one', 'two'] } }));
    expect(await find('secret')).toMatchObject({ projects: ['one', 'two'] });
  });

  test('401 → nobody; 403 → PermissionError', async () => {
    expect(await (await ask(json({}, 401)))('secret')).toBeNull();
    await server.stop();
    const find = await ask(json({}, 403));
    await expect(find('secret')).rejects.toMatchObject({ name: 'PermissionError' });
  });

  test('what was answered holds for a while, also that nobody has the token', async () => {
    for (const answer of [json(ADMIN), json({}, 401)]) {
      const find = await ask(answer, 200);
      await find('secret');
      await find('secret');
      expect(server.requests).toHaveLength(1);
      await new Promise((resolve) => setTimeout(resolve, 250));
      await find('secret');
      await find('another');
      expect(server.requests).toHaveLength(3);
      await server.stop();
    }
    server = await startHttpServer(json({}));
  });

  test('who asks meanwhile waits for the same answer', async () => {
    const find = await ask((_, response) => void setTimeout(() => json(ADMIN)(_, response), 50), 0);
    await Promise.all(Array.from({ length: 50 }, () => find('secret')));
    expect(server.requests).toHaveLength(1);
  });

  test('many tokens at once → only some are asked for at a time, and one that was valid does not wait for them', async () => {
    let asking = 0;
    let most = 0;
    const find = await ask((request, response) => {
      const isValid = request.headers.authorization === 'valid';
      if (!isValid) asking += 1;
      most = Math.max(most, asking);
      const answer = () => {
        if (!isValid) asking -= 1;
        (isValid ? json(ADMIN) : json({}, 401))(request, response);
      };
      setTimeout(answer, isValid ? 0 : 50);
    }, 0);
    await find('valid');
    const guesses = Array.from({ length: 200 }, (_, n) => find(`guess-${n}`));
    let isGuessing = true;
    const guessed = Promise.all(guesses).finally(() => {
      isGuessing = false;
    });
    expect(await find('valid')).toMatchObject({ role: 'ADMIN' });
    expect(isGuessing).toBe(true);
    expect(await guessed).toEqual(Array(200).fill(null));
    expect(most).toBe(32);
  });

  test('those whose turn does not come in time → ServiceUnavailableError', async () => {
    const find = await ask(() => undefined);
    const found = await Promise.allSettled(Array.from({ length: 40 }, (_, n) => find(`guess-${n}`)));
    expect(found.every((result) => result.status === 'rejected' && result.reason.name === 'ServiceUnavailableError')).toBe(true);
    expect(server.requests.length).toBeLessThanOrEqual(40);
  });

  test.each<[string, RequestListener]>([
    ['500', json({}, 500)],
    ['404', json({}, 404)],
    ['429', json({}, 429)],
    ['a page', (_, response) => response.end('<html>')],
    ['another JSON', json({ user: null })],
    ['a redirection', (_, response) => response.writeHead(302, { location: '/elsewhere' }).end()],
    ['nothing', (request) => request.socket.destroy()],
  ])('%s → ServiceUnavailableError, which is not kept', async (_, answer) => {
    const find = await ask(answer);
    await expect(find('secret')).rejects.toMatchObject({ name: 'ServiceUnavailableError' });
    await expect(find('secret')).rejects.toMatchObject({ name: 'ServiceUnavailableError' });
    expect(server.requests.map(({ url }) => url)).toEqual(['/api/admin/user', '/api/admin/user']);
  });

  test('silence → ServiceUnavailableError, within seconds', async () => {
    const find = await ask(() => undefined);
    await expect(find('secret')).rejects.toMatchObject({ name: 'ServiceUnavailableError' });
  });

  test.each(['ü', 'a\nb', 'a\u0000b', 'flaggw_revoked'])(
    '%j, which no header holds or the gateway made → nobody, and nobody is asked',
    async (secret) => {
      const find = await ask(json(ADMIN));
      expect(await find(secret)).toBeNull();
      expect(server.requests).toHaveLength(0);
    },
  );
});
