import { randomUUID } from 'node:crypto';

/**
 * Every error a client can get: its wire name, its HTTP status and its GraphQL `extensions.code`.
 * What is thrown and not in this table is masked as `InternalError`.
 */
export const ERRORS = {
  BadDataError: { status: 400, code: 'BAD_USER_INPUT' },
  AuthenticationRequired: { status: 401, code: 'UNAUTHENTICATED' },
  UnauthorizedError: { status: 401, code: 'UNAUTHENTICATED' },
  PermissionError: { status: 403, code: 'FORBIDDEN' },
  NotFoundError: { status: 404, code: 'NOT_FOUND' },
  IdempotencyConflictError: { status: 409, code: 'CONFLICT' },
  RequestTimeoutError: { status: 408, code: 'REQUEST_TIMEOUT' },
  PayloadTooLargeError: { status: 413, code: 'PAYLOAD_TOO_LARGE' },
  ContentTypeError: { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' },
  TooManyRequestsError: { status: 429, code: 'RATE_LIMITED' },
  /** Nobody gets it: it is for the log. */
  ClientClosedRequest: { status: 499, code: 'CANCELED' },
  InternalError: { status: 500, code: 'INTERNAL_SERVER_ERROR' },
  ServiceUnavailableError: { status: 503, code: 'SERVICE_UNAVAILABLE' },
} as const satisfies Record<string, { status: number; code: string }>;

export type ErrorName = keyof typeof ERRORS;

/** One thing that is wrong with a request: where, and the rule it breaks. */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
}

/** The error body of spec 2.7, with all problems found where the request is not valid. */
export interface ErrorBody {
  readonly id: string;
  readonly name: ErrorName;
  readonly message: string;
  readonly details?: readonly ErrorDetail[];
}

/** An error whose name and message a client may see. Its `cause` is for the log alone. */
export class GatewayError extends Error {
  readonly id: string;
  override readonly name: ErrorName;
  readonly details: readonly ErrorDetail[];
  /** After how many seconds the same request may be answered; null where that does not depend on time. */
  readonly retryAfterSeconds: number | null;
  #isLogged = false;

  constructor(
    name: ErrorName,
    message: string,
    options: { details?: readonly ErrorDetail[]; cause?: unknown; id?: string; retryAfterSeconds?: number } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : {});
    this.name = name;
    this.id = options.id ?? randomUUID();
    this.details = options.details ?? [];
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
    return details.length > 0 ? { id, name, message, details } : { id, name, message };
  }

  /** The error of a body that this gateway made and logged. */
  static fromBody(body: unknown): GatewayError {
    const { id, name, message, details } = body as ErrorBody;
    const error = new GatewayError(name, message, { id, ...(details && { details }) });
    error.#isLogged = true;
    return error;
  }

  /** Writes the error to the log, once: what the gateway has to answer for as an error with its cause, what is away as a warning, the rest as information. */
  logTo(log: ErrorLog): void {
    if (this.#isLogged) return;
    this.#isLogged = true;
    const fields = { errorId: this.id, errorName: this.name };
    if (this.name === 'ServiceUnavailableError') log.warn({ ...fields, ...describeCause(this.cause) }, this.message);
    else if (this.status >= 500) log.error({ ...fields, err: this.cause ?? this }, this.message);
    else log.info({ ...fields, details: this.details.map(({ path }) => path) }, `request refused: ${this.name}`);
  }
}

/** What somebody else was asked for and did not do: where in this program does not matter. */
function describeCause(cause: unknown): { cause?: string; code?: string } {
  if (!(cause instanceof Error)) return {};
  const { code } = cause as NodeJS.ErrnoException;
  return { cause: cause.message, ...(code !== undefined && { code }) };
}

/** As much of a logger as errors need. */
export interface ErrorLog {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

/** Collects what is wrong with a request, so that a caller hears of everything at once. */
export class Problems {
  readonly #details: ErrorDetail[] = [];

  add(path: string, message: string): void {
    this.#details.push({ path, message });
  }

  get isEmpty(): boolean {
    return this.#details.length === 0;
  }

  /** `BadDataError` for the problems found, whose message names each of them. */
  toError(): GatewayError {
    const found = this.#details.map(({ path, message }) => `${path} ${message}`).join('; ');
    return new GatewayError('BadDataError', `The request is not valid: ${found}`, { details: this.#details });
  }

  throwIfAny(): void {
    if (!this.isEmpty) throw this.toError();
  }
}
