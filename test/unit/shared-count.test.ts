import { expect, test } from '@jest/globals';
import type { ChooseLog } from '../../src/events/event-log.js';
import type { Context } from '../../src/events/log-reader.js';
import { createSharedCount } from '../../src/events/shared-count.js';
import { type InTurn, withoutTurns } from '../../src/limits/in-turn.js';
import { waitUntil } from '../support/wait-until.js';

/** Creates a shared count whose queries end when the test ends them. */
function start() {
  const ends: ((outcome: number | Error) => void)[] = [];
  const callers: string[] = [];
  const count = () =>
    new Promise((resolve, reject) =>
      ends.push((outcome) => (outcome instanceof Error ? reject(outcome) : resolve({ epoch: 'e', server: 's', count: outcome }))),
    );
  const chooseLog = (async () => ({ totals: { count } })) as unknown as ChooseLog;
  const inTurn: InTurn = (caller, ...others) => {
    callers.push(caller);
    return withoutTurns(caller, ...others);
  };
  const countAll = createSharedCount(chooseLog, inTurn);
  const request = (id: string, signal = new AbortController().signal) =>
    countAll({ caller: { id }, signal } as Context).then(
      (counted) => counted.count,
      (error: Error) => error.message,
    );
  const begun = (queries: number) => waitUntil(`query ${queries} begins`, () => ends.length === queries);
  return { request, begun, callers, end: (outcome: number | Error) => ends.at(-1)?.(outcome) };
}

test('requests of two callers during a count → share the next count, which takes one turn', async () => {
  const { request, begun, callers, end } = start();
  const first = request('a');
  await begun(1);
  const later = [request('a'), ...Array.from({ length: 9 }, () => request('b'))];
  end(1);
  expect(await first).toBe(1);
  await begun(2);
  end(2);
  expect(await Promise.all(later)).toEqual(Array(10).fill(2));
  expect(new Set(callers).size).toBe(1);
  expect(callers).toHaveLength(2);
});

test('a request that ends while it waits → rejected, and the other request gets the count', async () => {
  const { request, begun, end } = start();
  const leaving = new AbortController();
  const both = [request('a', leaving.signal), request('a')];
  await begun(1);
  leaving.abort(new Error('gone'));
  end(1);
  expect(await Promise.all(both)).toEqual(['gone', 1]);
});

test('a count that fails → all its requests fail, and the next request counts again', async () => {
  const { request, begun, end } = start();
  const both = [request('a'), request('b')];
  await begun(1);
  end(new Error('no database'));
  expect(await Promise.all(both)).toEqual(['no database', 'no database']);
  const next = request('a');
  await begun(2);
  end(3);
  expect(await next).toBe(3);
});
