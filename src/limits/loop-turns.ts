/** The number of requests that begin in one turn of the event loop while none has to wait. */
const FEW = 4;

/** The most requests that begin in one turn. */
const MOST = 16;

/** A turn should take no longer. Parsing, validating and planning one of the largest documents takes about as long. */
const TURN_MS = 20;

/**
 * Waits until a request of the caller may begin. Returns undefined if it may begin at once.
 * @param caller the id of the caller
 */
type BeginInTurn = (caller: string) => Promise<void> | undefined;

/**
 * Lets requests begin in turns of the event loop, and the callers alternately. Otherwise one turn would parse and validate all of a
 * thousand pipelined requests of one caller. Nothing else is read or written during a turn, not even a response of `/livez`.
 * While requests wait, twice as many begin in a turn as in a short one before it, and half as many after a long one.
 */
export function createLoopTurns(now = () => performance.now()): BeginInTurn {
  /** The waiting requests of each caller, in the order in which the callers come next. */
  const waiting = new Map<string, (() => void)[]>();
  let mostPerTurn = FEW;
  let begun = 0;
  let startedAt = 0;

  const startTurn = () => {
    if (waiting.size === 0) mostPerTurn = FEW;
    else mostPerTurn = now() - startedAt > TURN_MS ? Math.ceil(mostPerTurn / 2) : Math.min(MOST, mostPerTurn * 2);
    begun = 0;
    for (const [caller, requests] of waiting) {
      if (begun === mostPerTurn) break;
      waiting.delete(caller);
      countBegun();
      requests.shift()?.();
      // The loop visits this entry again, after those of all other callers.
      if (requests.length > 0) waiting.set(caller, requests);
    }
  };
  const countBegun = () => {
    if (begun === 0) {
      startedAt = now();
      setImmediate(startTurn);
    }
    begun += 1;
  };

  return (caller) => {
    if (begun < mostPerTurn && waiting.size === 0) {
      countBegun();
      return undefined;
    }
    return new Promise((resolve) => {
      const requests = waiting.get(caller) ?? [];
      requests.push(resolve);
      waiting.set(caller, requests);
    });
  };
}
