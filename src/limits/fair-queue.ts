import { GatewayError } from '../errors.js';

export interface FairQueueLimits {
  /** The most weight of all tasks that run at once. A task weighs 1, and a heavy one 2. */
  readonly total: number;
  /** The most weight of one caller's tasks that run at once. */
  readonly perCaller: number;
  /** How many tasks of one caller wait at most. */
  readonly maxWaiting: number;
}

/** The most waiting tasks of one caller. Each has a request in memory. */
const MAX_WAITING = 500;

/** Returns the limits for a number of queries that the database runs at once. One caller has at most half of them. */
export function toQueueLimits(queries: number): FairQueueLimits {
  return { total: queries, perCaller: Math.max(1, Math.floor(queries / 2)), maxWaiting: MAX_WAITING };
}

/** Ends the turn of a running task, and waits for its next turn. The task comes before the caller's other waiting tasks. */
export type GiveWay = () => Promise<void>;

/** The turn of a task. */
export interface Turn {
  readonly giveWay: GiveWay;
  /**
   * Lets the turn end in the next turn of the event loop, after a large response was usually written. Writing it keeps the thread as
   * busy as its query keeps the database. Otherwise that time would count for the callers that wait for results of the database.
   */
  readonly includeResponse: () => void;
}

/**
 * Runs `work` once it is the caller's turn.
 * @param isHeavy whether the work weighs two tasks instead of one
 * @throws GatewayError TooManyRequestsError if too many tasks of the caller wait, ClientClosedRequest if `signal` is aborted before its turn
 */
export type InTurn = <Result>(
  caller: string,
  isHeavy: boolean,
  signal: AbortSignal,
  work: (turn: Turn) => Promise<Result>,
) => Promise<Result>;

/** Runs each task at once, for a process without other callers. */
export const withoutTurns: InTurn = (_caller, _isHeavy, _signal, work) =>
  work({ giveWay: async () => undefined, includeResponse: () => undefined });

/**
 * Creates a queue that runs tasks of several callers, and shares the time equally among the callers that wait. A caller with slow
 * tasks gets as much time as others, and therefore fewer turns.
 */
export function createFairQueue(limits: FairQueueLimits, now = () => performance.now()): InTurn {
  const turns = new Turns(limits, now);

  const waitForTurn = (caller: string, task: Task, signal: AbortSignal, position: 'first' | 'last'): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(closedRequest());
      const stopWaiting = () => {
        turns.leave(caller, task);
        reject(closedRequest());
      };
      // V8 allocates a function literal in an assignment to a property among its old objects. This function is a constant,
      // because it would otherwise live until the next full garbage collection (docs/decisions/044-pages-beside-postgraphile.md).
      const begin = () => {
        signal.removeEventListener('abort', stopWaiting);
        resolve();
      };
      task.onTurn = begin;
      signal.addEventListener('abort', stopWaiting, { once: true });
      turns.add(caller, task, position);
    });

  return async (caller, isHeavy, signal, work) => {
    if (turns.countWaiting(caller) >= limits.maxWaiting) throw tooManyWaiting();
    const weight = Math.min(limits.perCaller, isHeavy ? 2 : 1);
    const task: Task = { weight, isRunning: false, onTurn: () => undefined };
    let includesResponse = false;
    await waitForTurn(caller, task, signal, 'last');
    try {
      return await work({
        giveWay: () => waitForTurn(caller, task, signal, 'first'),
        includeResponse: () => {
          includesResponse = true;
        },
      });
    } finally {
      const end = () => turns.leave(caller, task);
      if (includesResponse) setImmediate(end);
      else end();
    }
  };
}

interface Task {
  readonly weight: number;
  isRunning: boolean;
  onTurn: () => void;
}

/** The tasks of one caller. */
interface Queue {
  /** The weight of the running tasks. */
  running: number;
  readonly waiting: Task[];
  /** The time that tasks of the caller have run, multiplied by their weights, up to `countedAt`. */
  usedMs: number;
  countedAt: number;
}

/** Decides the order of turns by start-time fair queueing: the next task is one of the caller that has used the least time. */
class Turns {
  readonly #limits: FairQueueLimits;
  readonly #now: () => number;
  /** The callers with tasks, and idle ones that have used more time than callers that wait. */
  readonly #queues = new Map<string, Queue>();
  #running = 0;
  /**
   * The highest `usedMs` that a caller had when it got a turn. A caller that was idle starts with at least this value, so that
   * idling saves no time.
   */
  #virtualMs = 0;

  constructor(limits: FairQueueLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  countWaiting(caller: string): number {
    return this.#queues.get(caller)?.waiting.length ?? 0;
  }

  /** Adds a task to the caller's waiting tasks. If the task is running, its turn ends. */
  add(caller: string, task: Task, position: 'first' | 'last'): void {
    const queue = this.#queues.get(caller) ?? { running: 0, waiting: [], usedMs: 0, countedAt: 0 };
    this.#queues.set(caller, queue);
    this.#countTime(queue);
    this.#stop(queue, task);
    if (queue.waiting.length === 0) queue.usedMs = Math.max(queue.usedMs, this.#virtualMs);
    if (position === 'first') queue.waiting.unshift(task);
    else queue.waiting.push(task);
    while (this.#startNext());
  }

  /** Removes a task, whether it is running or waiting. */
  leave(caller: string, task: Task): void {
    const queue = this.#queues.get(caller);
    if (!queue) return;
    this.#countTime(queue);
    this.#stop(queue, task);
    if (queue.waiting.includes(task)) queue.waiting.splice(queue.waiting.indexOf(task), 1);
    while (this.#startNext());
    this.#forgetIdle();
  }

  #stop(queue: Queue, task: Task): void {
    if (!task.isRunning) return;
    task.isRunning = false;
    queue.running -= task.weight;
    this.#running -= task.weight;
  }

  #countTime(queue: Queue): void {
    const now = this.#now();
    queue.usedMs += queue.running * (now - queue.countedAt);
    queue.countedAt = now;
  }

  #startNext(): boolean {
    const { total, perCaller } = this.#limits;
    let next: Queue | null = null;
    for (const queue of this.#queues.values()) {
      const [first] = queue.waiting;
      if (first === undefined || queue.running + first.weight > perCaller) continue;
      this.#countTime(queue);
      if (next === null || queue.usedMs < next.usedMs) next = queue;
    }
    const first = next?.waiting[0];
    // While a heavy task waits for room for its weight, nothing else starts. Otherwise
    // light tasks would take all the room that becomes free.
    if (!next || !first || this.#running + first.weight > total) return false;
    next.waiting.shift();
    next.running += first.weight;
    this.#running += first.weight;
    this.#virtualMs = Math.max(this.#virtualMs, next.usedMs);
    first.isRunning = true;
    first.onTurn();
    return true;
  }

  /** Forgets idle callers that have used no more time than others, and all idle callers once nobody waits. */
  #forgetIdle(): void {
    const isAnyWaiting = [...this.#queues.values()].some(({ waiting }) => waiting.length > 0);
    for (const [caller, { running, waiting, usedMs }] of this.#queues) {
      const isIdle = running === 0 && waiting.length === 0;
      if (isIdle && !(isAnyWaiting && usedMs > this.#virtualMs)) this.#queues.delete(caller);
    }
  }
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
