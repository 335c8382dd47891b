import { LRUCache } from 'lru-cache';
import { RateLimiterRes } from 'rate-limiter-flexible';
import type { BudgetState, Spending } from '../telemetry/request-statistics.js';
import type { CreateLimiter, Limiter } from './limiter.store.js';

const WINDOW_SECONDS = 60;

/** A gateway takes such a part of a budget at a time, and writes to the database no more often than that. What it has not spent at the end of the minute is lost. */
const SHARE = 0.02;

/** Callers of one minute; those beyond begin a new share, which costs a write. */
const MAX_CALLERS = 10_000;

/** What this gateway holds of a caller's budget. */
interface Share {
  held: number;
  /** As far as this gateway knows, of all gateways. */
  unclaimed: number;
  endsAt: number;
  claiming: Promise<void> | null;
}

/**
 * What each caller may spend in a minute, over all gateways on one database: never more, and up to a share of each gateway less.
 * @param perMinute 0 for no limit
 */
export function createCostBudgets(createLimiter: CreateLimiter, perMinute: number) {
  const limiter = createLimiter({ name: 'cost', points: perMinute, seconds: WINDOW_SECONDS });
  const shares = new LRUCache<string, Share>({ max: MAX_CALLERS });
  const size = Math.max(1, Math.ceil(perMinute * SHARE));

  const findShare = (callerId: string): Share => {
    const known = shares.get(callerId);
    if (known && known.endsAt > Date.now()) return known;
    const share = { held: 0, unclaimed: perMinute, endsAt: Number.POSITIVE_INFINITY, claiming: null };
    shares.set(callerId, share);
    return share;
  };

  const claimMore = async (share: Share, callerId: string, least: number): Promise<void> => {
    const asked = Math.max(size, least);
    const { consumedPoints, msBeforeNext } = await claim(limiter, callerId, asked);
    share.held += Math.min(asked, Math.max(0, perMinute - (consumedPoints - asked)));
    share.unclaimed = Math.max(0, perMinute - consumedPoints);
    share.endsAt = Date.now() + msBeforeNext;
  };

  return {
    /** Whether it is known here that a caller has nothing left of this minute, and for how much longer; else null. */
    findSpent(callerId: string): BudgetState | null {
      const share = shares.get(callerId);
      const resetMs = share ? share.endsAt - Date.now() : 0;
      if (!share || resetMs <= 0 || share.held + share.unclaimed > 0) return null;
      return { limit: perMinute, remaining: 0, resetMs };
    },

    /**
     * @param isContinuation whether it is for what was done already, so that what is left is taken also where it is not enough
     * @returns whether there is enough left, which then is spent, and what is left after it; null where there is no limit
     */
    async spend(callerId: string, cost: number, isContinuation = false): Promise<Spending | null> {
      if (perMinute === 0) return null;
      const share = findShare(callerId);
      while (share.held < cost && share.unclaimed > 0) {
        // One at a time: those who wait may find enough in what it brings.
        share.claiming ??= claimMore(share, callerId, cost - share.held).finally(() => {
          share.claiming = null;
        });
        await share.claiming;
      }
      const isEnough = share.held >= cost;
      if (isEnough) share.held -= cost;
      else if (isContinuation) share.held = 0;
      return {
        isEnough,
        budget: {
          limit: perMinute,
          remaining: share.held + share.unclaimed,
          // While nothing was claimed the minute has not begun.
          resetMs: Math.min(Math.max(0, share.endsAt - Date.now()), 1000 * WINDOW_SECONDS),
        },
      };
    },
  };
}

/** Points are counted also beyond the limit; who counts them decides. */
function claim(limiter: Limiter, key: string, points: number): Promise<RateLimiterRes> {
  return limiter.consume(key, points).catch((refused: unknown) => {
    if (refused instanceof RateLimiterRes) return refused;
    throw refused;
  });
}
