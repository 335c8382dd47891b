import type { Caller } from './auth/caller.js';
import type { ErrorLog } from './errors.js';
import type { RequestStatistics } from './telemetry/request-statistics.js';

/** What every layer below HTTP knows of one authenticated request: it is the context of GraphQL resolvers too. */
export interface RequestContext {
  readonly caller: Caller;
  /** Aborted when the client disconnects before its response is complete. */
  readonly signal: AbortSignal;
  readonly log: ErrorLog;
  /** Collects what the response headers, the log line and the metrics report about the request. */
  readonly statistics: RequestStatistics;
}
