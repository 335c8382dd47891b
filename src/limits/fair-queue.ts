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

export interface Turn {
  /** Resolves once the turn has come. @throws GatewayError ClientClosedRequest if the task leaves before */
  readonly started: Promise<void>;
  /** Ends the turn, or the wait for it. */
  leave(): void;
}

/** Queues a task of a caller. @throws GatewayError TooManyRequestsError if too many of its tasks wait */
export type Enqueue = (caller: string, weight: number) => Turn;

/**
 * Lets tasks of several callers run, and serves waiting callers in turns. However much one caller sends, the others wait for a few of
 * its tasks at most.
 */
export function createFairQueue({ total, perCaller, maxWaiting }: FairQueueLimits): Enqueue {
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

  return (caller, requested) => {
    const queue = queues.get(caller) ?? { running: 0, waiting: [] };
    if (queue.waiting.length >= maxWaiting) throw tooManyWaiting();
    const weight = Math.max(1, Math.min(requested, perCaller, total));
    let state: 'waiting' | 'running' | 'left' = 'waiting';
    let stopWaiting: () => void = () => undefined;
    const started = new Promise<void>((resolve, reject) => {
      const task: Waiting = {
        weight,
        start() {
          state = 'running';
          resolve();
        },
      };
      stopWaiting = () => {
        queue.waiting.splice(queue.waiting.indexOf(task), 1);
        reject(closedRequest());
      };
      queue.waiting.push(task);
    });
    queues.set(caller, queue);
    while (startNext());
    return {
      started,
      leave() {
        if (state === 'left') return;
        if (state === 'waiting') stopWaiting();
        else {
          queue.running -= weight;
          running -= weight;
        }
        state = 'left';
        goOn(caller, queue);
      },
    };
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
