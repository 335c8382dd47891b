import { GatewayError } from '../errors.js';

export interface FairQueueLimits {
  /** How much runs at once. */
  readonly total: number;
  /** How much of it one caller runs at once. */
  readonly perCaller: number;
  /** How many tasks of one caller wait at most. */
  readonly maxWaiting: number;
}

/** How many operations of one caller wait, each with a request in memory. */
const MAX_WAITING = 500;

/** Returns the limits for a number of connections to the database. One caller uses at most half of them. */
export function toQueueLimits(poolSize: number): FairQueueLimits {
  return { total: Math.max(2, poolSize), perCaller: Math.max(1, Math.floor(poolSize / 2)), maxWaiting: MAX_WAITING };
}

interface Waiting {
  readonly weight: number;
  readonly start: () => void;
}

interface Queue {
  running: number;
  waiting: Waiting[];
}

/** Waits for a turn. @returns a function that ends it @throws GatewayError if too many wait, or once `signal` is aborted */
export type TakeTurn = (caller: string, weight: number, signal: AbortSignal) => Promise<() => void>;

/**
 * Lets tasks of several callers run, and serves waiting callers in turns. However much one caller sends, the others wait for a few of
 * its tasks at most.
 */
export function createFairQueue({ total, perCaller, maxWaiting }: FairQueueLimits): TakeTurn {
  /** The callers with tasks. Of those with equally little running, the one that was served longest ago is first. */
  const queues = new Map<string, Queue>();
  let running = 0;

  const startNext = (): boolean => {
    const fits = ({ waiting: [first], running: own }: Queue) =>
      first !== undefined && own + first.weight <= perCaller && running + first.weight <= total;
    const [next] = [...queues].filter(([, queue]) => fits(queue)).sort(([, one], [, other]) => one.running - other.running);
    const [caller = '', queue] = next ?? [];
    const first = queue?.waiting.shift();
    if (!queue || !first) return false;
    queue.running += first.weight;
    running += first.weight;
    queues.delete(caller);
    queues.set(caller, queue);
    first.start();
    return true;
  };

  const end = (caller: string, queue: Queue, weight: number): void => {
    queue.running -= weight;
    running -= weight;
    if (queue.running === 0 && queue.waiting.length === 0) queues.delete(caller);
    while (startNext());
  };

  return (caller, requested, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(closedRequest());
      const queue = queues.get(caller) ?? { running: 0, waiting: [] };
      if (queue.waiting.length >= maxWaiting) return reject(tooManyWaiting());
      queues.set(caller, queue);
      const weight = Math.max(1, Math.min(requested, perCaller, total));
      const task: Waiting = {
        weight,
        start() {
          signal.removeEventListener('abort', leave);
          let hasEnded = false;
          resolve(() => {
            if (!hasEnded) end(caller, queue, weight);
            hasEnded = true;
          });
        },
      };
      const leave = () => {
        queue.waiting.splice(queue.waiting.indexOf(task), 1);
        reject(closedRequest());
      };
      signal.addEventListener('abort', leave, { once: true });
      queue.waiting.push(task);
      while (startNext());
    });
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
