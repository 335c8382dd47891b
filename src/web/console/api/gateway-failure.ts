/** A failed request. The message is a sentence for the user. */
export class GatewayFailure extends Error {
  /** The HTTP status; 0 if no response arrived. */
  readonly status: number;
  /** The id of the error in the log output of the gateway; null if the response names none. */
  readonly logId: string | null;
  /** The delay that the gateway asks for before another attempt; null if it asks for none. */
  readonly retryAfterSeconds: number | null;

  constructor(message: string, details: { status: number; name?: string; logId?: string | null; retryAfter?: string | null }) {
    super(message);
    this.name = details.name ?? 'GatewayFailure';
    this.status = details.status;
    this.logId = details.logId ?? null;
    const seconds = Number(details.retryAfter ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : null;
  }
}

const failures = new WeakMap<object, GatewayFailure>();

/**
 * Converts what a query threw. Anything but a `GatewayFailure` is an error of the console itself. The same error gives the same
 * failure, so that the countdown to the next attempt goes on when a component renders again.
 */
export function toFailure(thrown: unknown): GatewayFailure {
  if (thrown instanceof GatewayFailure) return thrown;
  const key = typeof thrown === 'object' && thrown !== null ? thrown : {};
  const failure = failures.get(key) ?? new GatewayFailure('The console could not read the response.', { status: 0 });
  failures.set(key, failure);
  return failure;
}
