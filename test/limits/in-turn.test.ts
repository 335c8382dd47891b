import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createFairQueue, type GiveWay, toQueueLimits } from '../../src/limits/in-turn.js';
import type { FairQueueLimits } from '../../src/limits/turn-order.js';

const LIMITS = { total: 4, perCaller: 2, maxWaiting: 10 };

function start() {
  let now = 0;
  const inTurn = createFairQueue(LIMITS, () => now);
  const started: string[] = [];
  const ends = new Map<string, (() => void)[]>();
  /** Adds a task, and records its caller once it has its turn. */
  const add = (caller: string, weight = 1, signal = new AbortController().signal): Promise<void> => {
    const done = inTurn(caller, weight > 1, signal, () => {
      started.push(caller);
      return new Promise<void>((resolve) => ends.set(caller, [...(ends.get(caller) ?? []), resolve]));
    });
    done.catch(() => undefined);
    return done;
  };
  /** Ends the oldest running task of a caller, after some time has passed. */
  const endOne = async (caller: string, ms = 1) => {
    now += ms;
    ends.get(caller)?.shift()?.();
    await new Promise(setImmediate);
  };
  return { add, started, endOne, settle: () => new Promise(setImmediate) };
}

test.each([
  [1, 1],
  [2, 1],
  [3, 1],
  [10, 5],
])('a database that runs %d queries at once → %d of one caller', (queries, perCaller) => {
  expect(toQueueLimits(queries)).toEqual({ total: queries, perCaller, maxWaiting: 500 });
});

test('a caller with many tasks → only its share runs; another one starts at once', async () => {
  const { add, started, settle } = start();
  for (let n = 0; n < 8; n += 1) add('a');
  add('b');
  await settle();
  expect(started).toEqual(['a', 'a', 'b']);
});

test('a caller with slow tasks → others are served until they have used as much time', async () => {
  const { add, started, endOne, settle } = start();
  for (const caller of ['slow', 'other']) for (let n = 0; n < 2; n += 1) add(caller);
  for (let n = 0; n < 10; n += 1) add('fast');
  add('slow');
  await settle();
  await endOne('slow', 100);
  await endOne('slow');
  for (let n = 0; n < 8; n += 1) await endOne('fast', 10);
  expect(started).toEqual(['slow', 'slow', 'other', 'other', ...Array.from({ length: 10 }, () => 'fast')]);
  await endOne('fast', 10);
  expect(started.at(-1)).toBe('slow');
});

test('a task that weighs more than the share of a caller → runs alone', async () => {
  const { add, started, endOne, settle } = start();
  add('a', 20);
  add('a');
  await settle();
  expect(started).toEqual(['a']);
  await endOne('a');
  expect(started).toEqual(['a', 'a']);
});

test('a client that leaves while it waits → ClientClosedRequest, and the next one runs', async () => {
  const { add, started, endOne, settle } = start();
  const leaving = new AbortController();
  add('a', 2);
  const left = add('a', 1, leaving.signal);
  add('a');
  leaving.abort();
  await expect(left).rejects.toMatchObject({ name: 'ClientClosedRequest' });
  await settle();
  await endOne('a');
  await settle();
  expect(started).toEqual(['a', 'a']);
});

test('a client that has left before → ClientClosedRequest, and nothing is kept', async () => {
  const { add, started, settle } = start();
  await expect(add('a', 1, AbortSignal.abort())).rejects.toMatchObject({ name: 'ClientClosedRequest' });
  add('a');
  await settle();
  expect(started).toEqual(['a']);
});

test('a caller whose last response was large → one task at a time instead of two, until a response is small', async () => {
  const inTurn = createFairQueue(LIMITS);
  const running: (() => void)[] = [];
  const addTask = (isLarge: boolean) =>
    inTurn('a', false, new AbortController().signal, async ({ includeResponse }) => {
      if (isLarge) includeResponse();
      await new Promise<void>((resolve) => running.push(resolve));
    });
  const end = async () => {
    running.shift()?.();
    await new Promise(setImmediate);
    await new Promise(setImmediate);
  };
  const tasks = [true, false, false, false, false].map(addTask);
  await new Promise(setImmediate);
  expect(running).toHaveLength(2);
  await end();
  // The second task still runs, and the third one needs two places.
  expect(running).toHaveLength(1);
  await end();
  expect(running).toHaveLength(2);
  while (running.length > 0) await end();
  await Promise.all(tasks);
});

test('a task that fails → its turn ends', async () => {
  const inTurn = createFairQueue({ total: 1, perCaller: 1, maxWaiting: 1 });
  const { signal } = new AbortController();
  await expect(inTurn('a', false, signal, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await inTurn('a', false, signal, async () => 'done')).toBe('done');
});

test('too many waiting tasks of a caller → TooManyRequestsError; another caller is served', async () => {
  const { add, started, settle } = start();
  for (let n = 0; n < LIMITS.perCaller + LIMITS.maxWaiting; n += 1) add('a');
  await expect(add('a')).rejects.toMatchObject({
    name: 'TooManyRequestsError',
    message: 'Too many of your requests are waiting. Send fewer at once.',
    limit: 'request',
    retryAfterSeconds: 1,
  });
  add('b');
  await settle();
  expect(started).toContain('b');
});

test('a client that leaves before a lighter task of its caller → the lighter one runs', async () => {
  const { add, started, settle } = start();
  const leaving = new AbortController();
  add('a', 2);
  add('b', 1);
  const left = add('c', 2, leaving.signal);
  add('c', 1);
  await settle();
  expect(started).toEqual(['a', 'b']);
  leaving.abort();
  await expect(left).rejects.toMatchObject({ name: 'ClientClosedRequest' });
  await settle();
  expect(started).toEqual(['a', 'b', 'c']);
});

test('two callers with a steady stream of light tasks → a heavy task of a third one starts after a few of them', async () => {
  const { add, started, endOne, settle } = start();
  for (let n = 0; n < 4; n += 1) for (const caller of ['a', 'b']) add(caller);
  await settle();
  add('c', 2);
  for (let ended = 0; ended < 4 && !started.includes('c'); ended += 1) {
    const caller = ended % 2 === 0 ? 'a' : 'b';
    add(caller);
    await endOne(caller);
  }
  expect(started).toContain('c');
});

test.each([
  ['without', false, ['b', 'a has written']],
  ['with', true, ['a has written', 'b']],
])('a turn that is given back %s its response → the next turn begins in this order', async (_, isIncluded, expected) => {
  const order: string[] = [];
  const inTurn = createFairQueue({ total: 1, perCaller: 1, maxWaiting: 1 });
  const { signal } = new AbortController();
  const first = inTurn('a', false, signal, async ({ includeResponse }) => {
    if (isIncluded) includeResponse();
  }).then(() => order.push('a has written'));
  await Promise.all([first, inTurn('b', false, signal, async () => order.push('b'))]);
  expect(order).toEqual(expected);
});

describe('a task that gives way between its pages', () => {
  const ONE = { total: 1, perCaller: 1, maxWaiting: 10 };

  function startPaged() {
    let now = 0;
    const inTurn = createFairQueue(ONE, () => now);
    const order: string[] = [];
    const read = async (name: string, pages: number, giveWay: GiveWay) => {
      for (let page = 1; page <= pages; page += 1) {
        if (page > 1) await giveWay();
        order.push(`${name}${page}`);
        now += 10;
      }
    };
    const add = (caller: string, name: string, pages: number, signal = new AbortController().signal) =>
      inTurn(caller, false, signal, ({ giveWay }) => read(name, pages, giveWay));
    return { add, order, inTurn };
  }

  test('another caller waits → it is served after one page', async () => {
    const { add, order } = startPaged();
    await Promise.all([add('a', 'list', 3), add('b', 'other', 1)]);
    expect(order).toEqual(['list1', 'other1', 'list2', 'list3']);
  });

  test('another task of the same caller waits → it begins only after the last page', async () => {
    const { add, order } = startPaged();
    await Promise.all([add('a', 'list', 3), add('a', 'next', 1)]);
    expect(order).toEqual(['list1', 'list2', 'list3', 'next1']);
  });

  test('the client leaves while the task waits for its next page → ClientClosedRequest, and others are served', async () => {
    const { add, order, inTurn } = startPaged();
    const leaving = new AbortController();
    const left = add('a', 'list', 3, leaving.signal);
    const other = inTurn('b', false, new AbortController().signal, async () => leaving.abort());
    await expect(left).rejects.toMatchObject({ name: 'ClientClosedRequest' });
    await other;
    await add('c', 'last', 1);
    expect(order).toEqual(['list1', 'last1']);
  });
});

describe('fairness by time', () => {
  interface Sent {
    readonly caller: string;
    readonly at: number;
    readonly ms: number;
    readonly isHeavy?: boolean;
  }
  type Run = Sent & { readonly startedAt: number };

  /** Runs tasks on a clock of their own, which jumps from one event to the next. Returns them in the order in which they started. */
  async function simulate(limits: FairQueueLimits, tasks: readonly Sent[]): Promise<Run[]> {
    let now = 0;
    const inTurn = createFairQueue(limits, () => now);
    const due: { at: number; act: () => void }[] = [];
    const runs: Run[] = [];
    const send = (task: Sent) =>
      inTurn(task.caller, task.isHeavy ?? false, new AbortController().signal, () => {
        runs.push({ ...task, startedAt: now });
        return new Promise<void>((resolve) => due.push({ at: now + task.ms, act: resolve }));
      });
    for (const task of tasks) due.push({ at: task.at, act: () => void send(task) });
    while (due.length > 0) {
      due.sort((one, other) => one.at - other.at);
      const next = due.shift();
      now = next?.at ?? now;
      next?.act();
      await new Promise(setImmediate);
    }
    return runs;
  }

  const longest = (runs: readonly Sent[]) => Math.max(0, ...runs.map(({ ms }) => ms));
  const weigh = ({ isHeavy }: Sent) => (isHeavy ? 2 : 1);
  /** The weighted time that a caller's tasks have run until a moment. */
  const usedUntil = (runs: readonly Run[], caller: string, until: number) =>
    runs
      .filter((run) => run.caller === caller && run.startedAt < until)
      .reduce((sum, run) => sum + weigh(run) * (Math.min(until, run.startedAt + run.ms) - run.startedAt), 0);
  /** The moment up to which a caller always has a task that waits. */
  const lastStart = (runs: readonly Run[], caller: string) =>
    Math.max(...runs.filter((run) => run.caller === caller).map(({ startedAt }) => startedAt));

  const duration = fc.integer({ min: 1, max: 1000 });
  const durations = fc.array(duration, { minLength: 1, maxLength: 20 });
  const always = (caller: string, list: readonly number[]): Sent[] => list.map((ms) => ({ caller, at: 0, ms }));
  const RUNS = { numRuns: 100 };
  const ONE = { total: 1, perCaller: 1, maxWaiting: 100 };
  const FOUR = { total: 4, perCaller: 2, maxWaiting: 100 };

  test('two callers that always wait → neither has used more than the other by more than one turn', () =>
    fc.assert(
      fc.asyncProperty(durations, durations, async (ofA, ofB) => {
        const runs = await simulate(ONE, [...always('a', ofA), ...always('b', ofB)]);
        const end = Math.min(lastStart(runs, 'a'), lastStart(runs, 'b'));
        for (const { startedAt } of runs.filter((run) => run.startedAt <= end)) {
          const lead = Math.abs(usedUntil(runs, 'a', startedAt) - usedUntil(runs, 'b', startedAt));
          expect(lead).toBeLessThanOrEqual(longest(runs));
        }
      }),
      RUNS,
    ));

  test('three callers that always wait on several places → none leads by more than the turns that run at once', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ caller: fc.constantFrom('a', 'b', 'c'), ms: duration, isHeavy: fc.boolean() }), { maxLength: 60 }),
        async (tasks) => {
          const callers = ['a', 'b', 'c'];
          const all = [...tasks, ...callers.map((caller) => ({ caller, ms: 1, isHeavy: false }))];
          const runs = await simulate(
            FOUR,
            all.map((task) => ({ ...task, at: 0 })),
          );
          expect(runs).toHaveLength(all.length);
          const end = Math.min(...callers.map((caller) => lastStart(runs, caller)));
          for (const { startedAt } of runs.filter((run) => run.startedAt <= end)) {
            const used = callers.map((caller) => usedUntil(runs, caller, startedAt));
            expect(Math.max(...used) - Math.min(...used)).toBeLessThanOrEqual(FOUR.total * longest(runs));
          }
        },
      ),
      RUNS,
    ));

  test('a caller that comes and goes → at no time has it gained more than two turns on a caller that always waits', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ at: fc.integer({ min: 0, max: 5000 }), ms: duration }), { maxLength: 20 }),
        async (visits) => {
          const steady = always(
            'steady',
            Array.from({ length: 40 }, (_, n) => 50 + n),
          );
          const runs = await simulate(ONE, [...steady, ...visits.map((visit) => ({ ...visit, caller: 'visitor' }))]);
          const end = lastStart(runs, 'steady');
          let leastLead = 0;
          for (const { startedAt } of runs.filter((run) => run.startedAt <= end)) {
            const lead = usedUntil(runs, 'visitor', startedAt) - usedUntil(runs, 'steady', startedAt);
            leastLead = Math.min(leastLead, lead);
            expect(lead - leastLead).toBeLessThanOrEqual(2 * longest(runs));
          }
        },
      ),
      RUNS,
    ));

  test('a caller that was idle while another one waits → comes back with the time that it has used', async () => {
    const steady = always(
      'steady',
      Array.from({ length: 40 }, () => 50),
    );
    const visits = [10, 1_100].map((at) => ({ caller: 'visitor', at, ms: 1_000 }));
    const runs = await simulate(ONE, [...steady, ...visits]);
    expect(runs.filter(({ caller }) => caller === 'visitor').map(({ startedAt }) => startedAt)).toEqual([50, 2_050]);
  });

  test('a caller that was idle while nobody waited → begins anew, before one that asks later', async () => {
    const runs = await simulate(ONE, [
      { caller: 'a', at: 0, ms: 100 },
      { caller: 'other', at: 200, ms: 10 },
      { caller: 'a', at: 201, ms: 10 },
      { caller: 'b', at: 202, ms: 10 },
    ]);
    expect(runs.map(({ caller }) => caller)).toEqual(['a', 'other', 'a', 'b']);
  });

  test('a caller with a light load beside one that always waits → each request waits for at most one turn of the other one', () =>
    fc.assert(
      fc.asyncProperty(durations, fc.integer({ min: 2, max: 20 }), async (ofAttacker, ms) => {
        const light = Array.from({ length: 50 }, (_, n) => ({ caller: 'light', at: 4 * ms * n, ms }));
        const runs = await simulate(ONE, [...always('attacker', ofAttacker), ...light]);
        for (const run of runs.filter(({ caller }) => caller === 'light')) {
          const ofOthers = usedUntil(runs, 'attacker', run.startedAt) - usedUntil(runs, 'attacker', run.at);
          expect(ofOthers).toBeLessThanOrEqual(longest(runs) + ms);
        }
      }),
      RUNS,
    ));

  test('random tasks of many callers → all run, within the places', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            caller: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
            at: fc.integer({ min: 0, max: 2000 }),
            ms: duration,
            isHeavy: fc.boolean(),
          }),
          { maxLength: 60 },
        ),
        async (tasks) => {
          const runs = await simulate(FOUR, tasks);
          expect(runs).toHaveLength(tasks.length);
          for (const { startedAt, caller } of runs) {
            const during = runs.filter((run) => run.startedAt <= startedAt && startedAt < run.startedAt + run.ms);
            const sum = (some: readonly Run[]) => some.reduce((total, run) => total + weigh(run), 0);
            expect(sum(during)).toBeLessThanOrEqual(FOUR.total);
            expect(sum(during.filter((run) => run.caller === caller))).toBeLessThanOrEqual(FOUR.perCaller);
          }
        },
      ),
      RUNS,
    ));
});
