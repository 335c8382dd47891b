import {
  codeOf,
  databaseUnavailable,
  isCanceled,
  isUnavailable,
  isUnwritable,
  lacksPrivilege,
  SEQUENCE_EXHAUSTED,
} from './database/error-causes.js';
import { GatewayError } from './errors.js';

/** Converts a thrown value to the error that a client sees. */
export type ToGatewayError = (thrown: unknown) => GatewayError;

/**
 * Returns the error that a client sees. A `GatewayError` stays as it is. Any other cause becomes a `ServiceUnavailableError` or a
 * `NotSupportedHereError` with a reason that the client may know, or else an `InternalError`. The cause is only logged.
 * database/error-causes.ts recognizes errors of the database, and errors.ts has the HTTP status of each name.
 */
export function toGatewayError(cause: unknown): GatewayError {
  if (cause instanceof GatewayError) return cause;
  if (isCanceled(cause)) {
    return new GatewayError(
      'ServiceUnavailableError',
      'The query exceeded its time limit. Filter by flag, project or days, or search for a text that has three letters or digits in a row.',
      { cause },
    );
  }
  if (lacksPrivilege(cause)) {
    return new GatewayError(
      'NotSupportedHereError',
      'The role of the gateway in the database lacks a grant for this. The operator of the gateway can change that.',
      { cause },
    );
  }
  if (codeOf(cause) === SEQUENCE_EXHAUSTED) {
    return new GatewayError('NotSupportedHereError', 'The ids of events are used up, so nothing can be added to this log.', {
      cause,
    });
  }
  if (isUnwritable(cause)) {
    return new GatewayError(
      'ServiceUnavailableError',
      'The database accepts no changes now: its disk is full, or it is read-only. The operator of the gateway can change that.',
      { cause },
    );
  }
  if (isUnavailable(cause)) return databaseUnavailable(cause);
  return new GatewayError('InternalError', 'Something went wrong in the gateway. Give the id of this error to its operator.', {
    cause,
  });
}
