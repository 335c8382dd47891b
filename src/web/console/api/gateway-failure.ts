/** Says why a request failed, for the person in front of the page. */
export class GatewayFailure extends Error {
  /** The HTTP status; 0 if no response arrived. */
  readonly status: number;
  /** The id of the line in the log of the gateway. */
  readonly logId: string | null;
  /** When the gateway expects another attempt. */
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

/** Returns the failure that a query threw. Anything else is an error of the console itself. */
export function toFailure(thrown: unknown): GatewayFailure {
  if (thrown instanceof GatewayFailure) return thrown;
  return new GatewayFailure('The console could not read the response.', { status: 0 });
}
