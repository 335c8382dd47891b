import type { Caller } from './auth/caller.js';
import type { ErrorLog } from './errors.js';
import type { RequestStatistics } from './telemetry/request-statistics.js';

/** The context of one authenticated request, for every layer below HTTP. It is the context value of the GraphQL resolvers. */
export interface RequestContext {
  readonly caller: Caller;
  /** Aborted once nobody waits for the response: the client has disconnected, or the response is complete. */
  readonly signal: AbortSignal;
  readonly log: ErrorLog;
  /** Whether this is a further page of an accepted response. The caller is charged, but the budget does not reject the page. */
  readonly isContinuation?: boolean | undefined;
  /** The size, in characters, after which a page ends early. Streams set it, because their pages are smaller than the default. */
  readonly pageCharacters?: number | undefined;
  /**
   * Looks up the token again, for a response that stays open.
   * @throws GatewayError UnauthorizedError if it was revoked or has expired
   */
  readonly reauthenticate?: () => Promise<Caller>;
  /** Collects what the response headers, the log line and the metrics report about the request. */
  readonly statistics: RequestStatistics;
}

/**
 * The fields that a request selects in an object. Maps the path of each field, such as `nodes.id`, to its names in the response.
 * With aliases, a field has several names. Values that no selected field needs are not read.
 */
export type SelectedFields = ReadonlyMap<string, readonly string[]>;
