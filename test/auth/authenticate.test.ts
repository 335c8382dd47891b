import { describe, expect, test } from '@jest/globals';
import { createAuthenticate, type FindCaller, readSecret } from '../../src/auth/authenticate.js';
import type { Caller } from '../../src/auth/caller.js';

const ADDRESS = '192.0.2.1';

const callerNamed = (name: string): Caller => ({ id: name, name, email: null, userId: null, role: 'VIEWER', projects: 'all' });

/** Knows one secret, and remembers what it was asked for. */
function createFinder(known: string, name: string) {
  const asked: string[] = [];
  const find: FindCaller = async (secret) => {
    asked.push(secret);
    return secret === known ? callerNamed(name) : null;
  };
  return { find, asked };
}

describe('authenticate', () => {
  test('who a token belongs to is asked one after the other, until one knows', async () => {
    const [first, second, third] = [createFinder('a', 'first'), createFinder('b', 'second'), createFinder('b', 'third')];
    const authenticate = createAuthenticate([first.find, second.find, third.find]);

    expect((await authenticate('Bearer b', ADDRESS)).name).toBe('second');
    expect([first.asked, second.asked, third.asked]).toEqual([['b'], ['b'], []]);
  });

  test('a token that nobody knows → UnauthorizedError', async () => {
    const authenticate = createAuthenticate([createFinder('a', 'first').find]);

    await expect(authenticate('b', ADDRESS)).rejects.toMatchObject({
      name: 'UnauthorizedError',
      message: expect.stringContaining('not known'),
    });
  });

  test.each([undefined, '', ' \t '])('no token (%j) → AuthenticationRequired, and nobody is asked', async (authorization) => {
    const { find, asked } = createFinder('', 'anybody');

    await expect(createAuthenticate([find])(authorization, ADDRESS)).rejects.toMatchObject({
      name: 'AuthenticationRequired',
      message: expect.stringContaining('log in'),
    });
    expect(asked).toEqual([]);
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
])('the header %j holds the secret %j', (header, secret) => {
  expect(readSecret(header)).toBe(secret);
});
