import { createConnectionHold } from './connection-hold.js';

/**
 * The most requests that begin in one turn (iteration) of the event loop. More would make the turn long. A request waits for a
 * later turn after each of its database queries, so long turns would delay the request several times.
 */
const MAX_PER_TURN = 4;

/**
 * After this time, no further waiting request of the same caller begins in a turn. One request alone may take longer. The time is
 * counted per caller. If it were shared, one caller's long request would end the turn for all callers.
 */
const TURN_MS = 1;

export interface LoopTurns {
  /**
   * Waits until a request of the caller may begin. Returns undefined if it may begin at once.
   * @param caller the id of the caller
   */
  beginInTurn(caller: string): Promise<void> | undefined;
  /** Holds the requests that have not begun yet, for this turn and the next one. Call it for each accepted connection. */
  holdForConnection(): void;
}

/**
 * Spreads the beginnings of requests over turns of the event loop, and alternates between callers. Otherwise, one turn could
 * parse and validate a thousand pipelined requests of one caller. During a turn, the process reads and writes nothing else, not
 * even a response of `/livez`.
 */
export function createLoopTurns(now = () => performance.now()): LoopTurns {
  /** The waiting requests of each caller. The caller that comes next is the first in the map. */
  const waiting = new Map<string, (() => void)[]>();
  let begun = 0;
  let isTurnComing = false;
  const hold = createConnectionHold(now);

  const startTurn = () => {
    begun = 0;
    const isHeld = hold.endTurn();
    isTurnComing = waiting.size > 0 || isHeld;
    if (!isTurnComing) return;
    if (!hold.isHolding()) beginInNextTurn();
    setImmediate(startTurn);
  };

  const beginInNextTurn = () => {
    const usedMs = new Map<string, number>();
    let last: { readonly caller: string; readonly begunAt: number } | null = null;
    // Node.js runs all these callbacks in the next turn. Between two callbacks, the begun request runs until it has to wait.
    for (let n = 0; n < MAX_PER_TURN; n += 1) {
      setImmediate(() => {
        const begunAt = now();
        if (last) usedMs.set(last.caller, (usedMs.get(last.caller) ?? 0) + begunAt - last.begunAt);
        const caller = hold.isHolding() ? null : beginNext(usedMs);
        last = caller === null ? null : { caller, begunAt };
      });
    }
  };

  /** Begins a request of the next caller that has time left in this turn. Returns the caller, or null if there is none. */
  const beginNext = (usedMs: ReadonlyMap<string, number>): string | null => {
    for (const [caller, requests] of waiting) {
      if ((usedMs.get(caller) ?? 0) > TURN_MS) continue;
      waiting.delete(caller);
      // The caller's other requests come after one request of each other caller.
      if (requests.length > 1) waiting.set(caller, requests);
      requests.shift()?.();
      return caller;
    }
    return null;
  };

  const awaitTurn = () => {
    if (!isTurnComing) setImmediate(startTurn);
    isTurnComing = true;
  };

  return {
    beginInTurn(caller) {
      awaitTurn();
      if (begun < MAX_PER_TURN && waiting.size === 0 && !hold.isHolding()) {
        begun += 1;
        return undefined;
      }
      return new Promise((resolve) => {
        const requests = waiting.get(caller) ?? [];
        requests.push(resolve);
        waiting.set(caller, requests);
      });
    },

    holdForConnection() {
      awaitTurn();
      hold.noteConnection();
    },
  };
}
