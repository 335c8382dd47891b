import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Authenticate } from '../../src/auth/authenticate.js';
import type { Caller } from '../../src/auth/caller.js';
import { type Credential, createCredential } from '../../src/auth/credential.js';
import { type ErrorName, GatewayError } from '../../src/errors.js';
import { limitFailedLogins } from '../../src/limits/failed-logins.js';
import { createProcessLimiters } from '../../src/limits/limiter.store.js';
import { installFakeClock, removeFakeClock } from '../support/clock.js';

const paused = jest.fn(async (_ms: number) => undefined);

const ADDRESS = '192.0.2.1';
const MINUTE_MS = 60_000;

const errorNamed = (name: ErrorName) => new GatewayError(name, name);

/** Accepts tokens that begin with `valid`. Rejects others with the error that they name, or with UnauthorizedError. */
async function authenticate(credential: Credential | null): Promise<Caller> {
  const { secret = '' } = credential ?? {};
  if (credential && secret.startsWith('valid')) {
    return {
      id: credential.hash,
      name: secret,
      email: null,
      userId: null,
      role: 'VIEWER',
      projects: 'all',
      expiresAt: null,
    };
  }
  throw errorNamed((secret.split(' ')[1] as ErrorName | undefined) ?? 'UnauthorizedError');
}

function start(perMinute: number, { inner = authenticate as Authenticate, createLimiter = createProcessLimiters } = {}) {
  const warn = jest.fn();
  const limited = limitFailedLogins(inner, createLimiter, perMinute, { warn }, paused);
  /** Returns the name of the caller of a token, or of the error. */
  const outcome = (token: string, address = ADDRESS): Promise<string> =>
    limited(createCredential('token', token), address).then(
      ({ name }) => name,
      ({ name }: Error) => name,
    );
  const tryWrongTokens = async (times: number, address = ADDRESS) => {
    for (let n = 0; n < times; n += 1) expect(await outcome(`wrong-${n}`, address)).toBe('UnauthorizedError');
  };
  return { limited, outcome, tryWrongTokens, warn };
}

/** Runs the pending microtasks. */
async function flushMicrotasks(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}

beforeEach(() => {
  paused.mockClear();
  installFakeClock();
});
afterEach(removeFakeClock);

describe('wrong tokens from one address', () => {
  test('beyond the limit → a warning in the log, and 429 for all tokens until the minute ends', async () => {
    const { limited, outcome, tryWrongTokens, warn } = start(3);
    await tryWrongTokens(2);
    expect(warn).not.toHaveBeenCalled();
    await tryWrongTokens(1);
    expect(warn.mock.calls).toEqual([[{ address: ADDRESS, failures: 3 }, expect.stringContaining('wrong API tokens')]]);

    jest.advanceTimersByTime(MINUTE_MS - 1_500);
    await expect(limited(createCredential('token', 'valid'), ADDRESS)).rejects.toMatchObject({
      name: 'TooManyRequestsError',
      message: expect.stringContaining('wrong API tokens'),
      retryAfterSeconds: 2,
    });
    jest.advanceTimersByTime(1_500);
    expect(await outcome('valid')).toBe('valid');
  });

  test('another address → not limited', async () => {
    const { outcome, tryWrongTokens } = start(3);
    await tryWrongTokens(3);
    expect(await outcome('wrong', '192.0.2.2')).toBe('UnauthorizedError');
  });

  test.each([
    ['one IPv6 network → counted together', '2001:db8:1:2::1', '2001:db8:1:2:ffff::2', true],
    ['two IPv6 networks → counted separately', '2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['an IPv4 address and its IPv6 form → counted together', '192.0.2.9', '::ffff:192.0.2.9', true],
    ['two IPv4 addresses → counted separately', '192.0.2.9', '192.0.2.8', false],
    ['the same text that is not an address → counted together', 'unix:', 'unix:', true],
    ['two texts that are not addresses → counted separately', 'unix:', 'unknown', false],
  ])('%s', async (_, first, second, isOne) => {
    const { outcome, tryWrongTokens } = start(3);
    await tryWrongTokens(3, first);
    expect(await outcome('wrong', second)).toBe(isOne ? 'TooManyRequestsError' : 'UnauthorizedError');
  });

  test('a token that was valid in the last 15 minutes, from any address → accepted; others → 429', async () => {
    const { outcome, tryWrongTokens } = start(3);
    await outcome('valid', '192.0.2.2');
    jest.advanceTimersByTime(15 * MINUTE_MS - 1);
    await tryWrongTokens(3);
    expect(await outcome('valid')).toBe('valid');
    expect(await outcome('valid-unused')).toBe('TooManyRequestsError');
    jest.advanceTimersByTime(15 * MINUTE_MS + 2);
    await tryWrongTokens(3);
    expect(await outcome('valid')).toBe('TooManyRequestsError');
  });

  test('a token that was valid and is revoked → counted and delayed like any wrong one', async () => {
    let isRevoked = false;
    const inner: Authenticate = async (credential) => {
      if (isRevoked) throw errorNamed('UnauthorizedError');
      return authenticate(credential);
    };
    const { outcome } = start(8, { inner });
    expect(await outcome('valid')).toBe('valid');
    isRevoked = true;
    for (let n = 0; n < 8; n += 1) expect(await outcome('valid')).toBe('UnauthorizedError');
    expect(paused).toHaveBeenCalledTimes(3);
    expect(await outcome('valid')).toBe('TooManyRequestsError');
  });

  test('a session with the text of a valid token → counted like a wrong token', async () => {
    const { limited, outcome } = start(3, {
      inner: async (credential) => {
        if (credential?.kind === 'session') throw errorNamed('UnauthorizedError');
        return authenticate(credential);
      },
    });
    expect(await outcome('valid')).toBe('valid');
    const session = createCredential('session', 'valid');
    for (let n = 0; n < 3; n += 1) await expect(limited(session, ADDRESS)).rejects.toMatchObject({ name: 'UnauthorizedError' });
    await expect(limited(session, ADDRESS)).rejects.toMatchObject({ name: 'TooManyRequestsError' });
  });

  test('sent in a burst → limited too', async () => {
    const { outcome } = start(3);
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, n) => outcome(`wrong-${n}`)));
    const wrong = outcomes.filter((name) => name === 'UnauthorizedError').length;
    // Tokens that are being checked when the limit is reached still get 401.
    expect(wrong).toBeGreaterThanOrEqual(3);
    expect(wrong).toBeLessThanOrEqual(5);
    expect(outcomes.filter((name) => name === 'TooManyRequestsError')).toHaveLength(20 - wrong);
  });

  test('a burst of valid tokens → all accepted', async () => {
    const { outcome } = start(3);
    const tokens = Array.from({ length: 10 }, (_, n) => `valid-${n}`);
    expect(await Promise.all(tokens.map((token) => outcome(token)))).toEqual(tokens);
  });

  test('failures and running checks reach the limit → the next token waits', async () => {
    const ends = new Map<string | undefined, () => void>();
    const inner: Authenticate = (credential) =>
      new Promise<Caller>((_, reject) => ends.set(credential?.secret, () => reject(errorNamed('UnauthorizedError'))));
    const { outcome } = start(2, { inner });
    const pending = ['a', 'b'].map((token) => outcome(token));
    ends.get('a')?.();
    await pending[0];
    pending.push(outcome('c'));
    const last = outcome('d');
    await flushMicrotasks();
    expect(ends.has('d')).toBe(false);
    for (const end of ends.values()) end();
    await Promise.all(pending);
    expect(await last).toBe('TooManyRequestsError');
  });

  test('one token sent twice → the end of its second check keeps the others waiting', async () => {
    const ends: (() => void)[] = [];
    const inner = () => new Promise<Caller>((_, reject) => ends.push(() => reject(errorNamed('UnauthorizedError'))));
    const { outcome } = start(3, { inner });
    const [first, second] = [outcome('a'), outcome('a')];
    ends[0]?.();
    await first;
    const others = ['b', 'c', 'd'].map((token) => outcome(token));
    ends[1]?.();
    await second;
    const last = outcome('e');
    await flushMicrotasks();
    expect(ends).toHaveLength(5);
    for (const end of ends) end();
    await Promise.all(others);
    expect(await last).toBe('TooManyRequestsError');
  });

  test('two gateways on one database → counted together', async () => {
    const limiter = createProcessLimiters({ name: 'login', points: 3, seconds: 60 });
    const [one, another] = [start(3, { createLimiter: () => limiter }), start(3, { createLimiter: () => limiter })];
    await one.tryWrongTokens(3);
    await another.tryWrongTokens(1);
    expect(await another.outcome('valid')).toBe('TooManyRequestsError');
  });

  test('after the fifth → delayed by a second', async () => {
    const { tryWrongTokens } = start(10);
    await tryWrongTokens(5);
    expect(paused).not.toHaveBeenCalled();
    await tryWrongTokens(1);
    expect(paused.mock.calls.map(([ms]) => ms)).toEqual([1_000]);
  });

  test('the limiter fails → UnauthorizedError without a limit', async () => {
    const limiter = new RateLimiterMemory({ points: 1, duration: 1 });
    jest.spyOn(limiter, 'consume').mockRejectedValue(new Error('unavailable'));
    await start(3, { createLimiter: () => limiter }).tryWrongTokens(5);
  });

  test('a limit of 0 → no limit', async () => {
    await start(0).tryWrongTokens(20);
  });
});

test.each<ErrorName>(['AuthenticationRequired', 'PermissionError', 'ServiceUnavailableError'])(
  '%s → not counted as a failed login',
  async (name) => {
    const { outcome } = start(1);
    for (let n = 0; n < 3; n += 1) expect(await outcome(`- ${name}`)).toBe(name);
  },
);

test('two tokens of one user, from a blocked address → accepted only the one that was recently valid', async () => {
  const inner: Authenticate = async (credential) => ({ ...(await authenticate(credential)), id: 'unleash-user-7' });
  const { outcome, tryWrongTokens } = start(3, { inner });
  expect(await outcome('valid-1')).toBe('valid-1');
  await tryWrongTokens(3);
  expect(await outcome('valid-1')).toBe('valid-1');
  expect(await outcome('valid-2')).toBe('TooManyRequestsError');
});

test('any number of valid tokens → not counted', async () => {
  const { outcome } = start(2);
  for (let n = 0; n < 5; n += 1) expect(await outcome(`valid-${n}`)).toBe(`valid-${n}`);
});

test('any other error → not counted', async () => {
  const inner = () => Promise.reject(Object.assign(new Error('broken'), { name: 'UnauthorizedError' }));
  await start(1, { inner }).tryWrongTokens(3);
});
