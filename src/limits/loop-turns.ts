/**
 * The most requests that begin in one turn of the event loop. A request that reads the database continues in a later turn with
 * each of its results, so long turns would delay it several times.
 */
const MAX_PER_TURN = 4;

/** After this time, no further waiting request begins in a turn. One request alone may take longer. */
const TURN_MS = 1;

/**
 * Waits until a request of the caller may begin. Returns undefined if it may begin at once.
 * @param caller the id of the caller
 */
type BeginInTurn = (caller: string) => Promise<void> | undefined;

/**
 * Spreads the beginnings of requests over turns of the event loop, and alternates between callers. Otherwise, one turn could
 * parse and validate a thousand pipelined requests of one caller. During a turn, the process reads and writes nothing else, not
 * even a response of `/livez`.
 */
export function createLoopTurns(now = () => performance.now()): BeginInTurn {
  /** The waiting requests of each caller, in the order in which the callers come next. */
  const waiting = new Map<string, (() => void)[]>();
  let begun = 0;
  let isTurnComing = false;

  const startTurn = () => {
    begun = 0;
    isTurnComing = waiting.size > 0;
    if (!isTurnComing) return;
    let startedAt: number | null = null;
    // Node.js runs all these callbacks in the next turn. Between two callbacks, the begun request runs until it has to wait.
    for (let n = 0; n < MAX_PER_TURN; n += 1) {
      setImmediate(() => {
        startedAt ??= now();
        if (now() - startedAt <= TURN_MS) beginNext();
      });
    }
    setImmediate(startTurn);
  };

  const beginNext = () => {
    for (const [caller, requests] of waiting) {
      waiting.delete(caller);
      // The caller's other requests come after one request of each other caller.
      if (requests.length > 1) waiting.set(caller, requests);
      requests.shift()?.();
      return;
    }
  };

  return (caller) => {
    if (!isTurnComing) setImmediate(startTurn);
    isTurnComing = true;
    if (begun < MAX_PER_TURN && waiting.size === 0) {
      begun += 1;
      return undefined;
    }
    return new Promise((resolve) => {
      const requests = waiting.get(caller) ?? [];
      requests.push(resolve);
      waiting.set(caller, requests);
    });
  };
}
