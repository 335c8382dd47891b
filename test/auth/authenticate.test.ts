import { describe, expect, test } from '@jest/globals';
import { createAuthenticate, type FindCaller, readSecret } from '../../src/auth/authenticate.js';
import type { Caller } from '../../src/auth/caller.js';

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

/** Creates a lookup that finds the caller of one secret, and records the secrets it is called with. */
function createFinder(validSecret: string, name: string) {
  const secrets: string[] = [];
  const find: FindCaller = async (secret) => {
    secrets.push(secret);
    return secret === validSecret ? callerNamed(name) : null;
  };
  return { find, secrets };
}

describe('authenticate', () => {
  test('several lookups → called in order until one finds the caller', async () => {
    const [first, second, third] = [createFinder('a', 'first'), createFinder('b', 'second'), createFinder('b', 'third')];
    const authenticate = createAuthenticate([first.find, second.find, third.find]);

    expect((await authenticate('Bearer b', ADDRESS)).name).toBe('second');
    expect([first.secrets, second.secrets, third.secrets]).toEqual([['b'], ['b'], []]);
  });

  test('a token that no lookup finds → UnauthorizedError', async () => {
    const authenticate = createAuthenticate([createFinder('a', 'first').find]);

    await expect(authenticate('b', ADDRESS)).rejects.toMatchObject({
      name: 'UnauthorizedError',
      message: expect.stringContaining('not recognized'),
    });
  });

  test.each([undefined, '', ' \t '])('no token (%j) → AuthenticationRequired without a lookup', async (authorization) => {
    const { find, secrets } = createFinder('', 'anybody');

    await expect(createAuthenticate([find])(authorization, ADDRESS)).rejects.toMatchObject({
      name: 'AuthenticationRequired',
      message: expect.stringContaining('log in'),
    });
    expect(secrets).toEqual([]);
  });
});

test.each([
  [undefined, ''],
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
