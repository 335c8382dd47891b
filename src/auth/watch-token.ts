import { hash } from 'node:crypto';
import { GatewayError } from '../errors.js';
import type { RequestContext } from '../request-context.js';

/** How often the token of a stream or an export is looked up again. */
const CHECKED_EVERY_MS = 10_000;

/** How long a stream or an export goes on while its token cannot be looked up. */
const MAX_UNCHECKED_MS = 60_000;

type Caller = RequestContext['caller'];

/** Checks the token of a response that takes long, every 10 seconds and when the token expires. */
export function watchToken({ caller: first, reauthenticate }: Pick<RequestContext, 'caller' | 'reauthenticate'>) {
  let caller = first;
  let dueAt = nextCheck(first);
  /** When the look-ups began to fail; null while they succeed. */
  let failingSince: number | null = null;

  const expiresAt = () => caller.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  const dueInMs = () => Math.max(0, Math.min(dueAt, expiresAt()) - Date.now());
  return {
    dueInMs,

    /** Returns the caller with its present rights. @throws GatewayError UnauthorizedError for an expired or revoked token */
    async check(): Promise<Caller> {
      if (dueInMs() > 0) return caller;
      dueAt = nextCheck(caller);
      if (expiresAt() <= Date.now()) throw new GatewayError('UnauthorizedError', 'The API token has expired.');
      try {
        caller = (await reauthenticate?.()) ?? caller;
        failingSince = null;
      } catch (error) {
        // A revoked token is rejected by 401, or because too many wrong tokens came from its address. Any other failure, such as
        // an unavailable database, says nothing about the token, so the response goes on for up to `MAX_UNCHECKED_MS`.
        const isRejected = error instanceof GatewayError && (error.status === 401 || error.limit === 'failed_logins');
        failingSince ??= Date.now();
        if (isRejected || Date.now() - failingSince > MAX_UNCHECKED_MS) throw error;
      }
      return caller;
    },
  };
}

/**
 * Returns the time of a caller's next check. It is the same for all streams of the caller, so that they share one lookup
 * (auth/token-cache.ts).
 */
function nextCheck({ id }: Caller): number {
  const offsetMs = Number.parseInt(hash('sha256', id).slice(0, 8), 16) % CHECKED_EVERY_MS;
  return (Math.floor((Date.now() - offsetMs) / CHECKED_EVERY_MS) + 1) * CHECKED_EVERY_MS + offsetMs;
}
