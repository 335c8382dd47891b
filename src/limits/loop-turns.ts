/** The number of requests that begin in one turn of the event loop. Parsing and validating the largest documents takes 5 ms each. */
const MAX_PER_TURN = 16;

/**
 * Waits until a request of the caller may begin. Returns undefined if it may begin at once.
 * @param caller the id of the caller
 */
type BeginInTurn = (caller: string) => Promise<void> | undefined;

/**
 * Lets requests begin in turns of the event loop, and the callers alternately. Otherwise one turn would parse and validate all of a
 * thousand pipelined requests of one caller. Nothing else is read or written during a turn, not even a response of `/livez`.
 */
export function createLoopTurns(maxPerTurn = MAX_PER_TURN): BeginInTurn {
  /** The waiting requests of each caller, in the order in which the callers come next. */
  const waiting = new Map<string, (() => void)[]>();
  let begun = 0;

  const startTurn = () => {
    begun = 0;
    for (const [caller, requests] of waiting) {
      if (begun === maxPerTurn) break;
      waiting.delete(caller);
      countBegun();
      requests.shift()?.();
      // The loop visits this entry again, after those of all other callers.
      if (requests.length > 0) waiting.set(caller, requests);
    }
  };
  const countBegun = () => {
    if (begun === 0) setImmediate(startTurn);
    begun += 1;
  };

  return (caller) => {
    if (begun < maxPerTurn && waiting.size === 0) {
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
