import type { Caller } from '../auth/caller.js';
import type { ErrorLog } from '../errors.js';
import type { RequestStatistics } from '../telemetry/request-statistics.js';

/** What every resolver knows of the request. There is none without a caller. */
export interface RequestContext {
  readonly caller: Caller;
  readonly log: ErrorLog;
  readonly statistics: RequestStatistics;
  /** Whether it belongs to an answer that was let in already: it is charged, and not refused. */
  readonly isContinuation?: boolean;
}
