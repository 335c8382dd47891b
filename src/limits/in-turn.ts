import { GatewayError } from '../errors.js';
import { type FairQueueLimits, HEAVY_WEIGHT, type Task, Turns } from './turn-order.js';

/** The most waiting tasks of one caller. Each keeps its request in memory. */
const MAX_WAITING = 500;

/** Returns the limits for a database that runs this many queries at once. One caller gets at most half, but at least one. */
export function toQueueLimits(queries: number): FairQueueLimits {
  return { total: queries, perCaller: Math.max(1, Math.floor(queries / 2)), maxWaiting: MAX_WAITING };
}

/** Ends the turn of a running task, and waits for its next turn. The task comes before the caller's other waiting tasks. */
export type GiveWay = () => Promise<void>;

/** The turn of a task. */
export interface Turn {
  readonly giveWay: GiveWay;
  /**
   * Extends the turn to the next iteration of the event loop. By then, a large response has usually been written. Otherwise, the
   * time of the write would be counted for other callers, whose running queries it delays, instead of for this caller.
   */
  readonly includeResponse: () => void;
}

/**
 * Runs `work` once it is the caller's turn.
 * @param isHeavy whether the work weighs as much as two tasks
 * @throws GatewayError TooManyRequestsError if too many tasks of the caller wait, ClientClosedRequest if `signal` is aborted
 * before the turn
 */
export type InTurn = <Result>(
  caller: string,
  isHeavy: boolean,
  signal: AbortSignal,
  work: (turn: Turn) => Promise<Result>,
) => Promise<Result>;

/** Runs each task at once, for a process with only one caller. */
export const withoutTurns: InTurn = (_caller, _isHeavy, _signal, work) =>
  work({ giveWay: async () => undefined, includeResponse: () => undefined });

/**
 * Creates a queue that runs tasks of several callers, and shares the time equally among the callers that wait. A caller with slow
 * tasks gets as much time as others, and therefore fewer turns.
 */
export function createFairQueue(limits: FairQueueLimits, now = () => performance.now()): InTurn {
  const turns = new Turns(limits, now);

  /** Adds a task. Returns undefined if its turn begins at once, as it usually does. Otherwise returns a promise of the turn. */
  const waitForTurn = (
    caller: string,
    task: Task,
    signal: AbortSignal,
    position: 'first' | 'last',
  ): Promise<void> | undefined => {
    if (signal.aborted) throw closedRequest();
    turns.add(caller, task, position);
    if (task.runningWeight > 0) return undefined;
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        turns.leave(caller, task);
        reject(closedRequest());
      };
      // V8 allocates a function in its old generation if its literal is assigned to a property. Such a function lives until the
      // next full garbage collection, so this one is a constant first (docs/decisions/044-pages-beside-postgraphile.md).
      const begin = () => {
        signal.removeEventListener('abort', stopWaiting);
        resolve();
      };
      task.onTurn = begin;
      signal.addEventListener('abort', stopWaiting, { once: true });
    });
  };

  return async (caller, isHeavy, signal, work) => {
    if (turns.countWaiting(caller) >= limits.maxWaiting) throw tooManyWaiting();
    const weight = Math.min(limits.perCaller, isHeavy ? HEAVY_WEIGHT : 1);
    const task: Task = { weight, runningWeight: 0, onTurn: () => undefined };
    let includesResponse = false;
    await waitForTurn(caller, task, signal, 'last');
    try {
      return await work({
        giveWay: async () => waitForTurn(caller, task, signal, 'first'),
        includeResponse: () => {
          includesResponse = true;
        },
      });
    } finally {
      turns.noteResponse(caller, includesResponse);
      const end = () => turns.leave(caller, task);
      if (includesResponse) setImmediate(end);
      else end();
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
