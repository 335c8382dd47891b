/**
 * The longest time without a break for which new connections delay requests. Node.js accepts one connection in a turn of the
 * event loop. A connection behind a hundred others waits for a hundred turns, and requests that begin meanwhile make these turns
 * long. The limit keeps an endless series of connections from stopping all requests. After a hold, no other hold begins for as
 * long as the first one lasted.
 */
const HOLD_MS = 100;

/** Decides whether requests are held because connections are being accepted. */
export function createConnectionHold(now: () => number) {
  let hasNewConnection = false;
  let heldSince: number | null = null;
  let nextHoldAt = Number.NEGATIVE_INFINITY;

  return {
    noteConnection(): void {
      hasNewConnection = true;
    },

    /** Whether a hold continues, or begins because a connection was accepted in this turn. */
    isHolding(): boolean {
      if (heldSince === null) return hasNewConnection && now() >= nextHoldAt;
      return now() - heldSince < HOLD_MS;
    },

    /** Ends a turn of the event loop: a hold continues if a connection was accepted in it. Returns whether a hold lasts. */
    endTurn(): boolean {
      if (hasNewConnection && (heldSince !== null || now() >= nextHoldAt)) {
        heldSince ??= now();
      } else if (heldSince !== null) {
        nextHoldAt = now() + Math.min(HOLD_MS, now() - heldSince);
        heldSince = null;
      }
      hasNewConnection = false;
      return heldSince !== null;
    },
  };
}
