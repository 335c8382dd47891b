import { setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { RateLimiterRes } from 'rate-limiter-flexible';
import type { Authenticate } from '../auth/authenticate.js';
import type { Caller } from '../auth/caller.js';
import type { Credential } from '../auth/credential.js';
import { type ErrorLog, GatewayError } from '../errors.js';
import type { CreateLimiter } from './limiter.store.js';
import { toNetwork } from './network.js';

const WINDOW_SECONDS = 60;

/** The number of wrong tokens per address and minute without a delay, for people who mistype. Later wrong tokens are delayed. */
const UNDELAYED_FAILURES = 5;
const DELAY_MS = 1_000;

const MAX_ADDRESSES = 10_000;

/** A token that was valid this recently is accepted even from a blocked address. */
const TRUSTED_FOR_MS = 15 * 60 * 1000;
const MAX_TRUSTED = 10_000;

/**
 * Delays and limits wrong tokens by client address, over all gateways on one database. The session of an Unleash user counts as a
 * token, too. An address over its limit gets the same response to every token, wrong or right, except to a token that was valid
 * from any address in the last 15 minutes.
 * @param perMinute the number of wrong tokens per address and minute at which the address is blocked; 0 for no limit
 */
export function limitFailedLogins(
  authenticate: Authenticate,
  createLimiter: CreateLimiter,
  perMinute: number,
  log: Pick<ErrorLog, 'warn'>,
  pause: (ms: number) => Promise<unknown> = (ms) => setTimeout(ms, undefined, { ref: false }),
): Authenticate {
  if (perMinute === 0) return authenticate;
  const limiter = createLimiter({ name: 'login', points: perMinute, seconds: WINDOW_SECONDS });
  const blockedUntil = new LRUCache<string, number>({ max: MAX_ADDRESSES });
  /** The tokens that are being checked, by address. The promise of a token resolves at the end of its check. */
  const pending = new Map<string, Map<string, Promise<unknown>>>();
  // With another resolution, the cache starts a timer whenever it reads the clock.
  const trusted = new LRUCache<string, true>({ max: MAX_TRUSTED, ttl: TRUSTED_FOR_MS, ttlResolution: 0 });

  const countFailure = async (address: string, error: unknown): Promise<void> => {
    if (!(error instanceof GatewayError) || error.name !== 'UnauthorizedError') return;
    // If a failure cannot be counted, because the database is unavailable, the token is still rejected as wrong.
    const counted = await limiter
      .consume(address)
      .catch((rejected: unknown) => (rejected instanceof RateLimiterRes ? rejected : null));
    if (!counted) return;
    if (counted.consumedPoints >= perMinute) {
      blockedUntil.set(address, Date.now() + counted.msBeforeNext);
      log.warn(
        { address, failures: counted.consumedPoints },
        'Many wrong API tokens come from this address. For up to a minute, it can only use tokens that were valid recently.',
      );
    }
    if (counted.consumedPoints > UNDELAYED_FAILURES) await pause(DELAY_MS);
  };

  const checkInTurn = async (credential: Credential | null, remoteAddress: string, token: string): Promise<Caller> => {
    const address = toNetwork(remoteAddress);
    // A pending token counts as a failure until it is checked. Otherwise a burst could evade the limit.
    for (let ahead = pending.get(address); ahead && ahead.size >= perMinute && !ahead.has(token); ahead = pending.get(address))
      await Promise.race(ahead.values());
    const blockedMs = (blockedUntil.get(address) ?? 0) - Date.now();
    if (blockedMs > 0) throw tooManyFailures(blockedMs);
    const checks = pending.get(address) ?? new Map<string, Promise<unknown>>();
    pending.set(address, checks);
    const check = authenticate(credential, remoteAddress).catch(async (error: unknown) => {
      await countFailure(address, error);
      throw error;
    });
    checks.set(
      token,
      check.catch(() => undefined),
    );
    return check.finally(() => {
      checks.delete(token);
      // If one token is checked twice at once, the check that ends first removes this map. The other check must not remove the
      // map that newer checks have added since then.
      if (checks.size === 0 && pending.get(address) === checks) pending.delete(address);
    });
  };

  const checkTrusted = (credential: Credential | null, remoteAddress: string, token: string): Promise<Caller> =>
    authenticate(credential, remoteAddress).catch(async (error: unknown) => {
      // The token was revoked or has expired. From now on it counts like any other wrong token.
      if (error instanceof GatewayError && error.name === 'UnauthorizedError') trusted.delete(token);
      await countFailure(toNetwork(remoteAddress), error);
      throw error;
    });

  return async (credential, remoteAddress) => {
    const token = credential?.hash ?? '';
    const caller = await (trusted.has(token)
      ? checkTrusted(credential, remoteAddress, token)
      : checkInTurn(credential, remoteAddress, token));
    trusted.set(token, true);
    return caller;
  };
}

function tooManyFailures(blockedMs: number): GatewayError {
  return new GatewayError('TooManyRequestsError', 'Too many wrong API tokens came from your address. Try again in a minute.', {
    limit: 'failed_logins',
    retryAfterSeconds: Math.ceil(blockedMs / 1000),
  });
}
