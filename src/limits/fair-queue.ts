import { GatewayError } from '../errors.js';

export interface FairQueueLimits {
  /** The weight of all tasks that run at once. */
  readonly total: number;
  /** The weight of one caller's tasks that run at once. */
  readonly perCaller: number;
  /** How many tasks of one caller wait at most. */
  readonly maxWaiting: number;
}

/** How many tasks of one caller wait, each with a request in memory. */
const MAX_WAITING = 500;

/** Returns the limits for a number of queries that the database runs at once. One caller has at most half of them. */
export function toQueueLimits(poolSize: number): FairQueueLimits {
  return { total: Math.max(2, poolSize), perCaller: Math.max(1, Math.floor(poolSize / 2)), maxWaiting: MAX_WAITING };
}

interface Task {
  readonly weight: number;
  readonly start: () => void;
}

interface Queue {
  running: number;
  waiting: Task[];
}

/**
 * Runs `work` once it is the caller's turn.
 * @param isHeavy whether it takes two places instead of one
 * @throws GatewayError TooManyRequestsError if too many tasks of the caller wait, ClientClosedRequest if `signal` is aborted before its turn
 */
export type InTurn = <Result>(
  caller: string,
  isHeavy: boolean,
  signal: AbortSignal,
  work: () => Promise<Result>,
) => Promise<Result>;

/**
 * Lets tasks of several callers run, and serves waiting callers in turns. However much one caller sends, the others wait for a few of
 * its tasks at most.
 */
export function createFairQueue({ total, perCaller, maxWaiting }: FairQueueLimits): InTurn {
  /** The callers with tasks, in the order in which they were last served. */
  const queues = new Map<string, Queue>();
  let running = 0;

  const startNext = (): boolean => {
    const mayStart = ({ waiting: [first], running: own }: Queue) => first !== undefined && own + first.weight <= perCaller;
    let next: readonly [string, Queue] | null = null;
    for (const entry of queues) if (mayStart(entry[1]) && (next === null || entry[1].running < next[1].running)) next = entry;
    const [caller, queue] = next ?? [];
    const first = queue?.waiting[0];
    // A heavy task waits for a second place, and nothing starts before it. Light tasks would otherwise take each place that becomes free.
    if (caller === undefined || !queue || !first || running + first.weight > total) return false;
    queue.waiting.shift();
    queue.running += first.weight;
    running += first.weight;
    queues.delete(caller);
    queues.set(caller, queue);
    first.start();
    return true;
  };

  const startWaiting = (caller: string, queue: Queue): void => {
    if (queue.running === 0 && queue.waiting.length === 0) queues.delete(caller);
    while (startNext());
  };

  const waitForTurn = (caller: string, queue: Queue, weight: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(closedRequest());
      const stopWaiting = () => {
        queue.waiting.splice(queue.waiting.indexOf(task), 1);
        reject(closedRequest());
        startWaiting(caller, queue);
      };
      const task: Task = {
        weight,
        start() {
          signal.removeEventListener('abort', stopWaiting);
          resolve();
        },
      };
      signal.addEventListener('abort', stopWaiting, { once: true });
      queue.waiting.push(task);
      queues.set(caller, queue);
      while (startNext());
    });

  return async (caller, isHeavy, signal, work) => {
    const queue = queues.get(caller) ?? { running: 0, waiting: [] };
    if (queue.waiting.length >= maxWaiting) throw tooManyWaiting();
    const weight = Math.min(perCaller, isHeavy ? 2 : 1);
    await waitForTurn(caller, queue, weight, signal);
    try {
      return await work();
    } finally {
      queue.running -= weight;
      running -= weight;
      startWaiting(caller, queue);
    }
  };
}

function closedRequest(): GatewayError {
  return new GatewayError('ClientClosedRequest', 'The client closed the request before its turn.');
}

function tooManyWaiting(): GatewayError {
  return new GatewayError('TooManyRequestsError', 'Too many of your requests are waiting. Send fewer at once.', {
    limit: 'request',
    retryAfterSeconds: 1,
  });
}
