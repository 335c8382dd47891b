import { randomUUID } from 'node:crypto';
import { cutText } from './formats/text.js';

/**
 * Every error a client can get: its wire name, its HTTP status and its GraphQL `extensions.code`. to-gateway-error.ts chooses the
 * name for an error of the database. Any other thrown value becomes an `InternalError`.
 */
export const ERRORS = {
  BadDataError: { status: 400, code: 'BAD_USER_INPUT' },
  AuthenticationRequired: { status: 401, code: 'UNAUTHENTICATED' },
  UnauthorizedError: { status: 401, code: 'UNAUTHENTICATED' },
  PermissionError: { status: 403, code: 'FORBIDDEN' },
  /** The operation is impossible on this database as it is set up, so a retry alone does not help. */
  NotSupportedHereError: { status: 403, code: 'NOT_SUPPORTED_HERE' },
  NotFoundError: { status: 404, code: 'NOT_FOUND' },
  MethodNotAllowedError: { status: 405, code: 'METHOD_NOT_ALLOWED' },
  NotAcceptableError: { status: 406, code: 'NOT_ACCEPTABLE' },
  RequestTimeoutError: { status: 408, code: 'REQUEST_TIMEOUT' },
  IdempotencyConflictError: { status: 409, code: 'CONFLICT' },
  /** The cursor of the feed does not belong to any place in the log. */
  FeedResetError: { status: 410, code: 'FEED_RESET' },
  PayloadTooLargeError: { status: 413, code: 'PAYLOAD_TOO_LARGE' },
  ContentTypeError: { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' },
  TooManyRequestsError: { status: 429, code: 'RATE_LIMITED' },
  /** Appears only in the log, because the client is gone. */
  ClientClosedRequest: { status: 499, code: 'CANCELED' },
  InternalError: { status: 500, code: 'INTERNAL_SERVER_ERROR' },
  ServiceUnavailableError: { status: 503, code: 'SERVICE_UNAVAILABLE' },
} as const satisfies Record<string, { status: number; code: string }>;

export type ErrorName = keyof typeof ERRORS;

/** The limits of the details, paths and messages of an error. Responses and the log could otherwise repeat large bodies. */
const MAX_DETAILS = 100;
const MAX_PATH_LENGTH = 100;
const MAX_MESSAGE_LENGTH = 2_000;

/** The characters of a message that are reserved for its beginning and its end, such as `; and 5 more problems`. */
const RESERVED_LENGTH = 100;

/**
 * Limits that reject requests. `cost` and `failed_logins` are budgets per minute. `request` limits the size and cost of one
 * request, and how much work of one caller runs or waits at the same time.
 */
export type Limit = 'cost' | 'failed_logins' | 'request';

/** One problem of a request: its place, and the rule it breaks. */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
}

/** The error body of spec 2.7. For an invalid request it lists all problems found. */
export interface ErrorBody {
  readonly id: string;
  readonly name: ErrorName;
  readonly message: string;
  readonly details?: readonly ErrorDetail[];
  /** For `FeedResetError`: the cursor before all events of the log. */
  readonly oldest?: string;
  /** For `FeedResetError`: the cursor at the end of the feed when the error occurred. */
  readonly newest?: string;
}

/** The cursors of a `FeedResetError`. A client can start again from either of them. */
export type ResetCursors = Required<Pick<ErrorBody, 'oldest' | 'newest'>>;

/** An error for the operator. Its message says what is wrong and what to do, so a command prints it without a stack trace. */
export class OperatorError extends Error {}

/** An error whose name and message are safe to show to a client. Its `cause` is for the log only. */
export class GatewayError extends Error {
  readonly id: string;
  override readonly name: ErrorName;
  readonly details: readonly ErrorDetail[];
  /** The limit that rejected the request, if one did. */
  readonly limit: Limit | null;
  /** The number of seconds after which the same request may succeed; null if that does not depend on time. */
  readonly retryAfterSeconds: number | null;
  readonly #cursors: ResetCursors | undefined;
  #isLogged = false;

  constructor(
    name: ErrorName,
    message: string,
    options: {
      details?: readonly ErrorDetail[];
      cause?: unknown;
      limit?: Limit;
      retryAfterSeconds?: number;
      cursors?: ResetCursors;
    } = {},
  ) {
    super(cutText(message, MAX_MESSAGE_LENGTH), 'cause' in options ? { cause: options.cause } : {});
    this.name = name;
    this.id = randomUUID();
    this.details = (options.details ?? []).slice(0, MAX_DETAILS).map(cutDetail);
    this.limit = options.limit ?? null;
    this.#cursors = options.cursors;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }

  get status(): number {
    return ERRORS[this.name].status;
  }

  get code(): string {
    return ERRORS[this.name].code;
  }

  toBody(): ErrorBody {
    const { id, name, message, details } = this;
    return { id, name, message, ...(details.length > 0 && { details }), ...this.#cursors };
  }

  /** Logs the error once: `ServiceUnavailableError` as a warning, other 5xx as an error with its cause, all others as `info`. */
  logTo(log: ErrorLog): void {
    if (this.#isLogged) return;
    this.#isLogged = true;
    const fields = { errorId: this.id, errorName: this.name };
    if (this.name === 'ServiceUnavailableError') log.warn({ ...fields, ...describeCause(this.cause) }, this.message);
    else if (this.status >= 500) log.error({ ...fields, err: this.cause ?? this }, this.message);
    else log.info({ ...fields, details: this.details.map(({ path }) => path) }, `request rejected: ${this.name}`);
  }
}

function cutDetail({ path, message }: ErrorDetail): ErrorDetail {
  return { path: cutText(path, MAX_PATH_LENGTH), message: cutText(message, MAX_MESSAGE_LENGTH) };
}

/** Describes a failure of another system for the log. The stack is omitted, because the place in this program does not matter. */
function describeCause(cause: unknown): { cause?: string; code?: string } {
  if (!(cause instanceof Error)) return {};
  const { code } = cause as NodeJS.ErrnoException;
  return { cause: cause.message, ...(code !== undefined && { code }) };
}

/** The part of a logger that errors need. */
export interface ErrorLog {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

/** Collects the problems of a request, so that a client gets all of them at once. */
export class Problems {
  readonly #details: ErrorDetail[] = [];

  add(path: string, message: string): void {
    this.#details.push({ path, message });
  }

  get isEmpty(): boolean {
    return this.#details.length === 0;
  }

  /** Returns a `BadDataError`. Its message names as many problems as fit, and then the number of the other problems. */
  toError(): GatewayError {
    const all = this.#details.map(cutDetail).map(({ path, message }) => `${path} ${message}`);
    let found = all.shift() ?? '';
    while (all[0] !== undefined && found.length + all[0].length < MAX_MESSAGE_LENGTH - RESERVED_LENGTH)
      found += `; ${all.shift()}`;
    if (all.length > 0) found += `; and ${all.length} more problems`;
    return new GatewayError('BadDataError', `The request is not valid: ${found}`, { details: this.#details });
  }

  throwIfAny(): void {
    if (!this.isEmpty) throw this.toError();
  }
}
