import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Caller } from '../../src/auth/caller.js';
import { hashSecret } from '../../src/auth/secret.js';
import { type ErrorName, GatewayError } from '../../src/errors.js';
import { createProcessLimiters } from '../../src/limits/limiter.store.js';
import { startClock, stopClock } from '../support/clock.js';

const paused = jest.fn(async (_ms: number) => undefined);
jest.unstable_mockModule('node:timers/promises', () => ({ setTimeout: paused }));
const { limitFailedLogins } = await import('../../src/limits/failed-logins.js');

const HERE = '192.0.2.1';
const MINUTE_MS = 60_000;

const refusal = (name: ErrorName) => new GatewayError(name, name);

/** Lets `valid…` in; anything else is refused with the error that it names, or as a wrong token. */
async function authenticate(authorization = ''): Promise<Caller> {
  if (authorization.startsWith('valid')) {
    return { id: hashSecret(authorization), name: authorization, email: null, userId: null, role: 'VIEWER', projects: 'all' };
  }
  throw refusal((authorization.split(' ')[1] as ErrorName | undefined) ?? 'UnauthorizedError');
}

function start(perMinute: number, { inner = authenticate, createLimiter = createProcessLimiters } = {}) {
  const warn = jest.fn();
  const limited = limitFailedLogins(inner, createLimiter, perMinute, { warn });
  /** What comes of a token: who it is of, or the name of the error. */
  const outcome = (token: string, address = HERE): Promise<string> =>
    limited(token, address).then(
      ({ name }) => name,
      ({ name }: Error) => name,
    );
  const guess = async (times: number, address = HERE) => {
    for (let n = 0; n < times; n += 1) expect(await outcome(`guess-${n}`, address)).toBe('UnauthorizedError');
  };
  return { limited, outcome, guess, warn };
}

/** Lets all that waits for nothing but its turn go on. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}

beforeEach(() => {
  paused.mockClear();
  startClock();
});
afterEach(stopClock);

describe('wrong tokens from one address', () => {
  test('up to the limit are answered; then all of it waits for the end of the minute, and the log tells', async () => {
    const { limited, outcome, guess, warn } = start(3);
    await guess(2);
    expect(warn).not.toHaveBeenCalled();
    await guess(1);
    expect(warn.mock.calls).toEqual([[{ address: HERE, failures: 3 }, expect.stringContaining('wrong API tokens')]]);

    jest.advanceTimersByTime(MINUTE_MS - 1_500);
    await expect(limited('valid', HERE)).rejects.toMatchObject({
      name: 'TooManyRequestsError',
      message: expect.stringContaining('wrong API tokens'),
      retryAfterSeconds: 2,
    });
    jest.advanceTimersByTime(1_500);
    expect(await outcome('valid')).toBe('valid');
  });

  test('say nothing of another address', async () => {
    const { outcome, guess } = start(3);
    await guess(3);
    expect(await outcome('guess', '192.0.2.2')).toBe('UnauthorizedError');
  });

  test.each([
    ['IPv6 of one network', '2001:db8:1:2::1', '2001:db8:1:2:ffff::2', true],
    ['IPv6 of two networks', '2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['IPv4, and the same as IPv6', '192.0.2.9', '::ffff:192.0.2.9', true],
    ['IPv4 of one network', '192.0.2.9', '192.0.2.8', false],
    ['what is no address, twice', 'unix:', 'unix:', true],
    ['what are no addresses', 'unix:', 'unknown', false],
  ])('%s: count together, or not', async (_, first, second, isOne) => {
    const { outcome, guess } = start(3);
    await guess(3, first);
    expect(await outcome('guess', second)).toBe(isOne ? 'TooManyRequestsError' : 'UnauthorizedError');
  });

  test('do not keep out whose token was valid in the last quarter of an hour, from anywhere', async () => {
    const { outcome, guess } = start(3);
    await outcome('valid', '192.0.2.2');
    jest.advanceTimersByTime(15 * MINUTE_MS - 1);
    await guess(3);
    expect(await outcome('valid')).toBe('valid');
    expect(await outcome('valid-unused')).toBe('TooManyRequestsError');
    jest.advanceTimersByTime(15 * MINUTE_MS + 2);
    await guess(3);
    expect(await outcome('valid')).toBe('TooManyRequestsError');
  });

  test('in a burst are limited too', async () => {
    const { outcome } = start(3);
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, n) => outcome(`guess-${n}`)));
    const wrong = outcomes.filter((name) => name === 'UnauthorizedError').length;
    // Those that are being asked for when the limit is reached are answered.
    expect(wrong).toBeGreaterThanOrEqual(3);
    expect(wrong).toBeLessThanOrEqual(5);
    expect(outcomes.filter((name) => name === 'TooManyRequestsError')).toHaveLength(20 - wrong);
  });

  test('let a burst of right ones through, so many at a time', async () => {
    const { outcome } = start(3);
    const tokens = Array.from({ length: 10 }, (_, n) => `valid-${n}`);
    expect(await Promise.all(tokens.map((token) => outcome(token)))).toEqual(tokens);
  });

  test('wait for those of a burst before them, also once some of it is answered', async () => {
    const ends = new Map<string | undefined, () => void>();
    const inner = (token?: string) =>
      new Promise<Caller>((_, reject) => ends.set(token, () => reject(refusal('UnauthorizedError'))));
    const { outcome } = start(2, { inner });
    const pending = ['a', 'b'].map((token) => outcome(token));
    ends.get('a')?.();
    await pending[0];
    pending.push(outcome('c'));
    const last = outcome('d');
    await settle();
    expect(ends.has('d')).toBe(false);
    for (const end of ends.values()) end();
    await Promise.all(pending);
    expect(await last).toBe('TooManyRequestsError');
  });

  test('wait also while one of those before them, sent twice, is answered', async () => {
    const ends: (() => void)[] = [];
    const inner = () => new Promise<Caller>((_, reject) => ends.push(() => reject(refusal('UnauthorizedError'))));
    const { outcome } = start(3, { inner });
    const [first, second] = [outcome('a'), outcome('a')];
    ends[0]?.();
    await first;
    const others = ['b', 'c', 'd'].map((token) => outcome(token));
    ends[1]?.();
    await second;
    const last = outcome('e');
    await settle();
    expect(ends).toHaveLength(5);
    for (const end of ends) end();
    await Promise.all(others);
    expect(await last).toBe('TooManyRequestsError');
  });

  test('at other gateways on the database are counted', async () => {
    const limiter = createProcessLimiters({ name: 'login', points: 3, seconds: 60 });
    const [one, another] = [start(3, { createLimiter: () => limiter }), start(3, { createLimiter: () => limiter })];
    await one.guess(3);
    await another.guess(1);
    expect(await another.outcome('valid')).toBe('TooManyRequestsError');
  });

  test('are slowed after the fifth', async () => {
    const { guess } = start(10);
    await guess(5);
    expect(paused).not.toHaveBeenCalled();
    await guess(1);
    expect(paused.mock.calls.map(([ms]) => ms)).toEqual([1_000]);
  });

  test('are answered as wrong where they cannot be counted', async () => {
    const limiter = new RateLimiterMemory({ points: 1, duration: 1 });
    jest.spyOn(limiter, 'consume').mockRejectedValue(new Error('away'));
    await start(3, { createLimiter: () => limiter }).guess(5);
  });

  test('have no limit where it is 0', async () => {
    await start(0).guess(20);
  });
});

test.each<ErrorName>(['AuthenticationRequired', 'PermissionError', 'ServiceUnavailableError'])('%s is no guess', async (name) => {
  const { outcome } = start(1);
  for (let n = 0; n < 3; n += 1) expect(await outcome(`- ${name}`)).toBe(name);
});

test('valid tokens are no guesses, however many', async () => {
  const { outcome } = start(2);
  for (let n = 0; n < 5; n += 1) expect(await outcome(`valid-${n}`)).toBe(`valid-${n}`);
});

test('what fails otherwise is no guess', async () => {
  const inner = () => Promise.reject(Object.assign(new Error('broken'), { name: 'UnauthorizedError' }));
  await start(1, { inner }).guess(3);
});
