import { describe, expect, test } from '@jest/globals';
import { createAuthenticate, type FindCaller } from '../../src/auth/authenticate.js';
import type { Caller } from '../../src/auth/caller.js';
import { type Credential, createCredential } from '../../src/auth/credential.js';
import { readSecret } from '../../src/http/request-credential.js';

const ADDRESS = '192.0.2.1';

const callerNamed = (name: string): Caller => ({
  id: name,
  name,
  email: null,
  userId: null,
  role: 'VIEWER',
  projects: 'all',
  expiresAt: null,
});

const token = (secret: string): Credential => createCredential('token', secret);
const session = (secret: string): Credential => createCredential('session', secret);

/** Creates a lookup that finds the caller of one secret, and records the secrets it is called with. */
function createFinder(validSecret: string, name: string) {
  const secrets: string[] = [];
  const find: FindCaller = async ({ secret }) => {
    secrets.push(secret);
    return secret === validSecret ? callerNamed(name) : null;
  };
  return { find, secrets };
}

describe('authenticate', () => {
  test('several lookups → called in order until one finds the caller', async () => {
    const [first, second, third] = [createFinder('a', 'first'), createFinder('b', 'second'), createFinder('b', 'third')];
    const authenticate = createAuthenticate({ token: [first.find, second.find, third.find], session: [] });

    expect((await authenticate(token('b'), ADDRESS)).name).toBe('second');
    expect([first.secrets, second.secrets, third.secrets]).toEqual([['b'], ['b'], []]);
  });

  test('a token that no lookup finds → UnauthorizedError', async () => {
    const authenticate = createAuthenticate({ token: [createFinder('a', 'first').find], session: [] });

    await expect(authenticate(token('b'), ADDRESS)).rejects.toMatchObject({
      name: 'UnauthorizedError',
      message: expect.stringContaining('not recognized'),
    });
  });

  test('a session → only the lookups of sessions are called; not found → UnauthorizedError', async () => {
    const [tokens, sessions] = [createFinder('a', 'by token'), createFinder('a', 'by session')];
    const authenticate = createAuthenticate({ token: [tokens.find], session: [sessions.find] });

    expect((await authenticate(session('a'), ADDRESS)).name).toBe('by session');
    await expect(authenticate(session('b'), ADDRESS)).rejects.toMatchObject({
      name: 'UnauthorizedError',
      message: expect.stringContaining('Log in to Unleash again'),
    });
    expect([tokens.secrets, sessions.secrets]).toEqual([[], ['a', 'b']]);
  });

  test('a session and a token with the same text → different callers', () => {
    expect(session('a').hash).not.toBe(token('a').hash);
  });

  test.each([null, token(''), session('')])('no secret (%j) → AuthenticationRequired without a lookup', async (credential) => {
    const { find, secrets } = createFinder('', 'anybody');

    await expect(createAuthenticate({ token: [find], session: [find] })(credential, ADDRESS)).rejects.toMatchObject({
      name: 'AuthenticationRequired',
      message: expect.stringContaining('log in'),
    });
    expect(secrets).toEqual([]);
  });
});

test.each([
  ['', ''],
  [' \t ', ''],
  ['secret', 'secret'],
  [' \tsecret\t ', 'secret'],
  ['Bearer secret', 'secret'],
  ['bEARER \t secret ', 'secret'],
  ['two words', 'two words'],
  ['Basic secret', 'Basic secret'],
  ['Bearersecret', 'Bearersecret'],
  ['my Bearer secret', 'my Bearer secret'],
  ['Bearer Bearer secret', 'Bearer secret'],
])('the header %j → the secret %j', (header, secret) => {
  expect(readSecret(header)).toBe(secret);
});
