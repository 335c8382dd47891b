import { expect, jest, test } from '@jest/globals';
import type { ProjectScope } from '../../src/auth/caller.js';
import { GatewayError } from '../../src/errors.js';
import { createResponseMemo } from '../../src/graphql/response-memo.js';
import type { RequestContext } from '../../src/request-context.js';
import { createStatistics } from '../../src/telemetry/request-statistics.js';

const VARIABLES = { first: 5 };

/** A memo on a log with a version, and a query that counts its runs. */
function createLog() {
  const log = { version: 'v1', runs: 0, versions: 0, cost: 0, text: 'x', isBroken: false, hasNewTotal: false };
  const charge = jest.fn(async (_context: RequestContext, _cost: number): Promise<void> => undefined);
  const memo = createResponseMemo({
    readVersion: async () => {
      log.versions += 1;
      if (log.isBroken) throw new Error('unavailable');
      return log.version;
    },
    charge,
  });
  const createContext = (projects: ProjectScope = 'all'): RequestContext => ({
    caller: { id: 'caller', name: 'a', email: null, userId: null, role: 'VIEWER', projects, expiresAt: null },
    log: { info() {}, warn() {}, error() {} },
    signal: new AbortController().signal,
    statistics: createStatistics(),
  });
  const ask = async (variables: Record<string, unknown> = VARIABLES, projects?: ProjectScope, operation = 'a') => {
    const context = createContext(projects);
    const result = await memo.run({ operation, variables, context }, async () => {
      log.runs += 1;
      context.statistics.cost += log.cost;
      context.statistics.hasNewTotal = log.hasNewTotal;
      return { data: { run: log.runs, text: log.text } };
    });
    return result?.data?.['run'];
  };
  const askTimes = async (count: number) => {
    const seen: unknown[] = [];
    for (let times = 0; times < count; times += 1) seen.push(await ask());
    return seen;
  };
  return { log, charge, ask, askTimes };
}

test('the same request on an unchanged log → runs three times, and the third result is kept', async () => {
  const { askTimes, log } = createLog();
  expect(await askTimes(5)).toEqual([1, 2, 3, 3, 3]);
  expect(log.versions).toBe(4);
});

test('the log changes → runs twice again, and the second result is kept', async () => {
  const { askTimes, log } = createLog();
  await askTimes(4);
  log.version = 'v2';
  expect(await askTimes(4)).toEqual([4, 5, 5, 5]);
});

test('other variables, projects or operations → other results', async () => {
  const { ask, askTimes } = createLog();
  await askTimes(3);
  expect(await ask({ first: 6 })).toBe(4);
  expect(await ask(VARIABLES, ['p1'])).toBe(5);
  expect(await ask(VARIABLES, 'all', 'b')).toBe(6);
  expect(await ask()).toBe(3);
});

test('a kept result → charged as the run was', async () => {
  const { ask, askTimes, charge, log } = createLog();
  log.cost = 7;
  await askTimes(4);
  expect(charge.mock.calls.map(([, cost]) => cost)).toEqual([7]);
  charge.mockRejectedValueOnce(new GatewayError('TooManyRequestsError', 'over the budget'));
  await expect(ask()).rejects.toThrow('over the budget');
});

test('the version cannot be read → the query runs', async () => {
  const { ask, askTimes, log } = createLog();
  await askTimes(4);
  log.isBroken = true;
  expect(await ask()).toBe(4);
});

test('a log that changes between all requests → few of them ask for the version', async () => {
  const { ask, askTimes, log } = createLog();
  for (let request = 0; request < 300; request += 1) {
    log.version = `v${request}`;
    expect(await ask()).toBe(request + 1);
  }
  expect(log.versions).toBeLessThan(20);
  // The memo notices that the log does not change any more.
  expect(await askTimes(70)).toEqual(expect.arrayContaining([log.runs]));
});

test('a result of two million characters → not kept', async () => {
  const { askTimes, log } = createLog();
  log.text = 'x'.repeat(2 * 1024 * 1024);
  expect(await askTimes(5)).toEqual([1, 2, 3, 4, 5]);
});

test('a run that counted a new total → not kept, because a repetition costs less', async () => {
  const { ask, askTimes, charge, log } = createLog();
  await askTimes(1);
  log.hasNewTotal = true;
  log.cost = 500;
  expect(await ask()).toBe(2);
  log.hasNewTotal = false;
  log.cost = 5;
  expect(await askTimes(3)).toEqual([3, 4, 4]);
  expect(charge.mock.calls.map(([, cost]) => cost)).toEqual([5]);
});

test('requests that arrive together for the first time → none of them is kept', async () => {
  const { ask, askTimes, log } = createLog();
  expect(await Promise.all([ask(), ask()])).toEqual([1, 2]);
  expect(log.versions).toBe(0);
  expect(await askTimes(3)).toEqual([3, 4, 4]);
});

test('requests that arrive together on a version → the version is kept as one result', async () => {
  const { ask, askTimes } = createLog();
  await askTimes(1);
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([2, 3, 4]);
  expect(await askTimes(2)).toEqual([3, 3]);
});

test('a result that is always too long → few requests ask for the version', async () => {
  const { askTimes, log } = createLog();
  log.text = 'x'.repeat(2 * 1024 * 1024);
  await askTimes(200);
  expect(log.versions).toBeLessThan(20);
});
