import { LRUCache } from 'lru-cache';
import { RateLimiterRes } from 'rate-limiter-flexible';
import type { CreateLimiter, Limiter } from './limiter.store.js';

/**
 * A caller's budget for the cost of operations in the current minute. graphql/cost.ts computes the cost of an operation, and
 * graphql/cost-limit.ts deducts it or rejects the operation.
 */
export interface BudgetState {
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
}

/** The result of deducting a cost from a budget: whether the budget was sufficient, and its remaining state. */
export interface Spending {
  readonly isEnough: boolean;
  readonly budget: BudgetState;
}

export type CostBudgets = ReturnType<typeof createCostBudgets>;

const WINDOW_SECONDS = 60;

/**
 * The share of a budget that a gateway claims at a time, with one write to the database. A share that is not spent by the end of
 * the minute is lost.
 */
const SHARE = 0.02;

/** The most shares in memory. A caller whose share was evicted needs a new share, which costs a write to the database. */
const MAX_CALLERS = 10_000;

/** The part of a caller's budget that this gateway has claimed. */
interface Share {
  /** The claimed points that are not spent yet. */
  held: number;
  /** The part of the budget that no gateway has claimed, as of the last claim of this gateway. */
  unclaimed: number;
  endsAt: number;
  claiming: Promise<void> | null;
}

/**
 * Limits the cost that each caller may spend per minute, over all gateways on one database. A caller never spends more than the
 * limit, but may lose about one unspent share per gateway.
 * @param perMinute 0 for no limit
 */
export function createCostBudgets(createLimiter: CreateLimiter, perMinute: number) {
  const limiter = createLimiter({ name: 'cost', points: perMinute, seconds: WINDOW_SECONDS });
  const shares = new LRUCache<string, Share>({ max: MAX_CALLERS });
  const size = Math.max(1, Math.ceil(perMinute * SHARE));

  const findShare = (callerId: string): Share => {
    const current = shares.get(callerId);
    if (current && current.endsAt > Date.now()) return current;
    const share = { held: 0, unclaimed: perMinute, endsAt: Number.POSITIVE_INFINITY, claiming: null };
    shares.set(callerId, share);
    return share;
  };

  const claimMore = async (share: Share, callerId: string, least: number): Promise<void> => {
    const claimed = Math.max(size, least);
    const { consumedPoints, msBeforeNext } = await claim(limiter, callerId, claimed);
    share.held += Math.min(claimed, Math.max(0, perMinute - (consumedPoints - claimed)));
    share.unclaimed = Math.max(0, perMinute - consumedPoints);
    share.endsAt = Date.now() + msBeforeNext;
  };

  return {
    /** Returns the state of the caller's budget if it is used up, as far as this gateway knows. Otherwise returns null. */
    findSpent(callerId: string): BudgetState | null {
      const share = shares.get(callerId);
      const resetMs = share ? share.endsAt - Date.now() : 0;
      if (!share || resetMs <= 0 || share.held + share.unclaimed > 0) return null;
      return { limit: perMinute, remaining: 0, resetMs };
    },

    /**
     * Deducts `cost` from a caller's budget if enough is left. With `takesRest`, deducts what is left even if that is not enough.
     * @returns whether enough was left, and the remaining budget; null without a limit
     */
    async spend(callerId: string, cost: number, takesRest = false): Promise<Spending | null> {
      if (perMinute === 0) return null;
      const share = findShare(callerId);
      while (share.held < cost && share.unclaimed > 0) {
        // Concurrent requests of a caller share one claim, because it may be enough for all of them.
        share.claiming ??= claimMore(share, callerId, cost - share.held).finally(() => {
          share.claiming = null;
        });
        await share.claiming;
      }
      const isEnough = share.held >= cost;
      if (isEnough) share.held -= cost;
      else if (takesRest) share.held = 0;
      return {
        isEnough,
        budget: {
          limit: perMinute,
          remaining: share.held + share.unclaimed,
          // The minute begins with the first claim. Until then, `endsAt` is infinite.
          resetMs: Math.min(Math.max(0, share.endsAt - Date.now()), 1000 * WINDOW_SECONDS),
        },
      };
    },
  };
}

/** Counts points, and returns the count. Beyond the limit, the limiter throws the count instead, and this function returns it. */
function claim(limiter: Limiter, key: string, points: number): Promise<RateLimiterRes> {
  return limiter.consume(key, points).catch((rejected: unknown) => {
    if (rejected instanceof RateLimiterRes) return rejected;
    throw rejected;
  });
}
