import type { Caller } from '../auth/caller.js';
import type { ErrorLog } from '../errors.js';
import type { RequestAccount } from '../request-account.js';

/** What every resolver knows of the request. There is none without a caller. */
export interface GatewayContext {
  readonly caller: Caller;
  readonly log: ErrorLog;
  readonly account: RequestAccount;
  /** Whether it belongs to an answer that was let in already: it is charged, and not refused. */
  readonly isOwed?: boolean;
}
