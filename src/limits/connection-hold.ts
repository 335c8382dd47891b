/**
 * The longest hold. During a hold, requests wait because new connections are being accepted. Node.js accepts one connection in
 * each turn (iteration) of the event loop. A connection behind a hundred others waits for a hundred turns, and beginning requests
 * meanwhile would make these turns long. The limit keeps an endless series of connections from stopping all requests. After a
 * hold, the next hold cannot begin for as long as the hold lasted.
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

    /** Whether requests have to wait: a hold goes on, or a connection that was accepted in this turn starts a hold. */
    isHolding(): boolean {
      if (heldSince === null) return hasNewConnection && now() >= nextHoldAt;
      return now() - heldSince < HOLD_MS;
    },

    /**
     * Ends a turn of the event loop. A hold can begin or go on only if the turn accepted a connection.
     * @returns whether a hold has not ended. After `HOLD_MS`, it no longer makes requests wait.
     */
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
