import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Caller } from '../../src/auth/caller.js';
import { watchToken } from '../../src/auth/watch-token.js';
import { GatewayError } from '../../src/errors.js';

const callerOf = (id: string, expiresAt: Date | null = null): Caller => ({
  id,
  name: id,
  email: null,
  userId: null,
  role: 'VIEWER',
  projects: 'all',
  expiresAt,
});

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('streams of one caller → checked at the same moment, at most 10 seconds later', () => {
  const first = watchToken({ caller: callerOf('a') });
  const dueAt = Date.now() + first.dueInMs();
  jest.advanceTimersByTime(first.dueInMs() / 2);
  const second = watchToken({ caller: callerOf('a') });
  expect(Date.now() + second.dueInMs()).toBe(dueAt);
  expect(second.dueInMs()).toBeGreaterThan(0);
  expect(dueAt - Date.now()).toBeLessThanOrEqual(10_000);
  const all = ['a', 'b', 'c', 'd'].map((id) => watchToken({ caller: callerOf(id) }).dueInMs());
  expect(new Set(all).size).toBeGreaterThan(1);
});

test('a token that is looked up again → its present rights; another failure → the rights of before; revoked → an error', async () => {
  const limited: Caller = { ...callerOf('a'), projects: ['p'] };
  const found: (() => Promise<Caller>)[] = [
    async () => limited,
    () => Promise.reject(new GatewayError('ServiceUnavailableError', 'unavailable')),
    () => Promise.reject(new GatewayError('UnauthorizedError', 'revoked')),
  ];
  const token = watchToken({ caller: callerOf('a'), reauthenticate: () => (found.shift() ?? (async () => limited))() });
  expect((await token.check()).projects).toBe('all');
  for (let checks = 0; checks < 2; checks += 1) {
    jest.advanceTimersByTime(token.dueInMs());
    expect((await token.check()).projects).toEqual(['p']);
  }
  jest.advanceTimersByTime(token.dueInMs());
  await expect(token.check()).rejects.toMatchObject({ name: 'UnauthorizedError' });
});

test('a token that expires → an error at that moment', async () => {
  const token = watchToken({ caller: callerOf('a', new Date(Date.now() + 5)) });
  expect(token.dueInMs()).toBeLessThanOrEqual(5);
  jest.advanceTimersByTime(5);
  await expect(token.check()).rejects.toMatchObject({ name: 'UnauthorizedError' });
});

test('a failure after minutes without a check → tolerated; failures for more than a minute → the error', async () => {
  const unavailable = new GatewayError('ServiceUnavailableError', 'unavailable');
  const token = watchToken({ caller: callerOf('a'), reauthenticate: () => Promise.reject(unavailable) });
  jest.advanceTimersByTime(300_000);
  expect(await token.check()).toMatchObject({ id: 'a' });
  jest.advanceTimersByTime(55_000);
  expect(await token.check()).toMatchObject({ id: 'a' });
  jest.advanceTimersByTime(15_000);
  await expect(token.check()).rejects.toBe(unavailable);
});
