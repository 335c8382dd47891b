import { describe, expect, test } from '@jest/globals';
import type { EventCriteria } from '../../src/events/event.js';
import type { EventSlice } from '../../src/events/event-page.js';
import type { CountedLog, CountRange } from '../../src/log-version/counted-log.js';
import { createTotals } from '../../src/log-version/totals.js';

const A: EventCriteria = { featureNames: ['a'] };
const B: EventCriteria = { featureNames: ['b'] };

/** Creates a log in memory. All of its events match every filter, and its server can be replaced. */
function createLog() {
  const log = {
    server: 'first',
    epoch: 'e1',
    ids: new Set<number>(),
    /** Counting waits for this promise. */
    hold: Promise.resolve(),
    add(from: number, to: number) {
      for (let id = from; id <= to; id += 1) log.ids.add(id);
    },
    /** Restores a backup that ends with the event `to` on another server. */
    restore(to: number) {
      log.server = 'second';
      log.epoch = 'e2';
      log.ids = new Set([...log.ids].filter((id) => id <= to));
    },
  };
  const epoch = () => ({ epoch: log.epoch, server: log.server });
  const countBetween = (after: number, upTo: number) => [...log.ids].filter((id) => id > after && id <= upTo).length;
  const count: CountedLog['count'] = async (_, { after, upTo }) => ({
    ...epoch(),
    between: countBetween(after ?? 0, upTo),
    newer: countBetween(Math.max(after ?? 0, upTo), Number.POSITIVE_INFINITY),
  });
  const reads = {
    count,
    countAndList: async (criteria: EventCriteria, _: EventSlice, range: CountRange) => ({
      ...(await count(criteria, range)),
      events: [],
      isCut: false,
    }),
    listWithEpoch: async () => ({ ...epoch(), events: [], isCut: false }),
    countUpTo: async (_: EventCriteria, upTo: number) => {
      await log.hold;
      return { ...epoch(), count: countBetween(0, upTo) };
    },
  };
  const counted: CountedLog = {
    ...reads,
    withSignal: () => reads,
    readEnd: async () => ({ ...epoch(), late: 0, highestId: Math.max(0, ...log.ids) }),
    publishCandidate: async () => ({ ...epoch(), late: 0 }),
    findWriters: async () => [],
  };
  return { log, totals: createTotals(counted, 0) };
}

describe('totals after the log was restored on another server, without its latest events', () => {
  test.each([
    ['a filter with a cached count', A],
    ['a filter without a cached count', B],
  ])('%s → an exact total, also after events are added', async (_, criteria) => {
    const { log, totals } = createLog();
    log.add(1, 1000);
    expect((await totals.count(A)).count).toBe(1000);

    log.restore(500);
    expect((await totals.count(criteria)).count).toBe(500);
    log.add(501, 600);
    expect((await totals.count(criteria)).count).toBe(600);
    expect((await totals.count(A)).count).toBe(600);
  });

  test('a count that was running → an exact total, also after events are added', async () => {
    const { log, totals } = createLog();
    log.add(1, 1000);
    await totals.count(A);
    let release = () => {};
    log.hold = new Promise((resolve) => {
      release = resolve;
    });
    const running = totals.count(B);
    await new Promise(setImmediate);
    log.restore(500);
    log.hold = Promise.resolve();
    expect((await totals.count(A)).count).toBe(500);
    release();

    expect((await running).count).toBe(500);
    log.add(501, 600);
    expect((await totals.count(B)).count).toBe(600);
  });
});
