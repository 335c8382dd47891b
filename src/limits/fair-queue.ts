import { GatewayError } from '../errors.js';

export interface FairQueueLimits {
  /** How much runs at once. */
  readonly total: number;
  /** How much of it one caller runs at once. */
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
 * Runs `work` once it is the caller's turn. @param weight how much of the limits it takes
 * @throws GatewayError TooManyRequestsError if too many tasks of the caller wait, ClientClosedRequest if `signal` is aborted before its turn
 */
export type InTurn = <Result>(
  caller: string,
  weight: number,
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
    const fits = ({ waiting: [first], running: own }: Queue) =>
      first !== undefined && own + first.weight <= perCaller && running + first.weight <= total;
    let next: readonly [string, Queue] | null = null;
    for (const one of queues) if (fits(one[1]) && (next === null || one[1].running < next[1].running)) next = one;
    const [caller, queue] = next ?? [];
    const first = queue?.waiting.shift();
    if (caller === undefined || !queue || !first) return false;
    queue.running += first.weight;
    running += first.weight;
    queues.delete(caller);
    queues.set(caller, queue);
    first.start();
    return true;
  };

  const goOn = (caller: string, queue: Queue): void => {
    if (queue.running === 0 && queue.waiting.length === 0) queues.delete(caller);
    while (startNext());
  };

  const waitForTurn = (caller: string, queue: Queue, weight: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(closedRequest());
      const stopWaiting = () => {
        queue.waiting.splice(queue.waiting.indexOf(task), 1);
        reject(closedRequest());
        goOn(caller, queue);
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

  return async (caller, requested, signal, work) => {
    const queue = queues.get(caller) ?? { running: 0, waiting: [] };
    if (queue.waiting.length >= maxWaiting) throw tooManyWaiting();
    const weight = Math.max(1, Math.min(requested, perCaller, total));
    await waitForTurn(caller, queue, weight, signal);
    try {
      return await work();
    } finally {
      queue.running -= weight;
      running -= weight;
      goOn(caller, queue);
    }
  };
}

function closedRequest(): GatewayError {
  return new GatewayError('ClientClosedRequest', 'The client closed the request before its turn.');
}

function tooManyWaiting(): GatewayError {
  return new GatewayError('TooManyRequestsError', 'Too many requests of this API token are waiting. Send fewer at once.', {
    limit: 'request',
    retryAfterSeconds: 1,
  });
}
