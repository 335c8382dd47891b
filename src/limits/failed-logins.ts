import { setTimeout } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { type Authenticate, readSecret } from '../auth/authenticate.js';
import type { Caller } from '../auth/caller.js';
import { hashSecret } from '../auth/secret.js';
import { GatewayError } from '../errors.js';
import type { CreateLimiter } from './limiter.store.js';

const WINDOW_SECONDS = 60;

/** A person who mistypes a token is answered at once so many times in a minute; then one who guesses waits for each answer. */
const ANSWERED_AT_ONCE = 5;
const SLOWED_BY_MS = 1_000;

const MAX_ADDRESSES = 10_000;

/** Whose tokens were valid a while ago is let in from an address from which others guess. */
const TRUSTED_FOR_MS = 15 * 60 * 1000;
const MAX_TRUSTED = 10_000;

/** Tells who runs the gateway. */
interface WarningLog {
  warn(fields: object, message: string): void;
}

/**
 * Slows and limits wrong tokens by the address that they come from, over all gateways on one database. An address that is over its limit gets
 * the same answer to every token, also to a right one, unless that was used from anywhere in the last quarter of an hour.
 * @param perMinute 0 for no limit
 */
export function limitFailedLogins(
  authenticate: Authenticate,
  createLimiter: CreateLimiter,
  perMinute: number,
  log: WarningLog,
): Authenticate {
  if (perMinute === 0) return authenticate;
  const limiter = createLimiter({ name: 'login', points: perMinute, seconds: WINDOW_SECONDS });
  const blockedUntil = new LRUCache<string, number>({ max: MAX_ADDRESSES });
  /** Tokens of which it is not known yet whether they are right, by address, each until that is known. */
  const asking = new Map<string, Map<string, Promise<unknown>>>();
  const trusted = new LRUCache<string, true>({ max: MAX_TRUSTED, ttl: TRUSTED_FOR_MS });

  const noteFailure = async (address: string): Promise<void> => {
    // Who cannot be counted is answered all the same: what is behind this is away.
    const counted = await limiter
      .consume(address)
      .catch((refused: unknown) => (refused instanceof RateLimiterRes ? refused : null));
    if (!counted) return;
    if (counted.consumedPoints >= perMinute) {
      blockedUntil.set(address, Date.now() + counted.msBeforeNext);
      log.warn(
        { address, failures: counted.consumedPoints },
        'Many wrong API tokens come from this address; it is not answered for a while.',
      );
    }
    if (counted.consumedPoints > ANSWERED_AT_ONCE) await setTimeout(SLOWED_BY_MS, undefined, { ref: false });
  };

  const askInTurn = async (authorization: string | undefined, remoteAddress: string, token: string): Promise<Caller> => {
    const address = toNetwork(remoteAddress);
    // Those that are not answered yet may all be wrong: a burst is no way around the limit.
    for (let before = asking.get(address); before && before.size >= perMinute && !before.has(token); before = asking.get(address))
      await Promise.race(before.values());
    const blockedMs = (blockedUntil.get(address) ?? 0) - Date.now();
    if (blockedMs > 0) throw tooManyFailures(blockedMs);
    const asked = asking.get(address) ?? new Map<string, Promise<unknown>>();
    asking.set(address, asked);
    const answer = authenticate(authorization, remoteAddress).catch(async (error: unknown) => {
      if (error instanceof GatewayError && error.name === 'UnauthorizedError') await noteFailure(address);
      throw error;
    });
    asked.set(
      token,
      answer.catch(() => undefined),
    );
    return answer.finally(() => {
      asked.delete(token);
      // One token may be asked for twice: who ends last must not forget those that came in between.
      if (asked.size === 0 && asking.get(address) === asked) asking.delete(address);
    });
  };

  return async (authorization, remoteAddress) => {
    const token = hashSecret(readSecret(authorization));
    const caller = await (trusted.has(token)
      ? authenticate(authorization, remoteAddress)
      : askInTurn(authorization, remoteAddress, token));
    trusted.set(caller.id, true);
    return caller;
  };
}

/** Of IPv6, the network: whoever has one has more addresses in it than could be counted. */
function toNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/64`)}/64` : parsed.toString();
}

function tooManyFailures(blockedMs: number): GatewayError {
  return new GatewayError('TooManyRequestsError', 'Too many wrong API tokens came from your address. Try again in a minute.', {
    retryAfterSeconds: Math.ceil(blockedMs / 1000),
  });
}
