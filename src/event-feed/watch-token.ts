import { GatewayError } from '../errors.js';
import type { RequestContext } from '../request-context.js';

/** How often the token of a stream is looked up again. */
const CHECKED_EVERY_MS = 10_000;

type Caller = RequestContext['caller'];

/** Looks the token of a stream up again, every 10 seconds and when it expires. */
export function watchToken({ caller: first, reauthenticate }: Pick<RequestContext, 'caller' | 'reauthenticate'>) {
  let caller = first;
  let checkedAt = performance.now();

  const expiresInMs = () => (caller.expiresAt === null ? Number.POSITIVE_INFINITY : caller.expiresAt.getTime() - Date.now());
  const dueInMs = () => Math.max(0, Math.min(CHECKED_EVERY_MS - (performance.now() - checkedAt), expiresInMs()));
  return {
    dueInMs,

    /** Returns the caller with its present rights. @throws GatewayError UnauthorizedError for a token that has expired or was revoked */
    async check(): Promise<Caller> {
      if (dueInMs() > 0) return caller;
      checkedAt = performance.now();
      if (expiresInMs() <= 0) throw new GatewayError('UnauthorizedError', 'The API token has expired.');
      try {
        caller = (await reauthenticate?.()) ?? caller;
      } catch (error) {
        // Another failure, such as that of the database, says nothing about the token.
        if (error instanceof GatewayError && error.status === 401) throw error;
      }
      return caller;
    },
  };
}
