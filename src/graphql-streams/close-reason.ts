import { CloseCode } from 'graphql-ws';
import type { GatewayError } from '../errors.js';

/** The longest reason that a WebSocket can send when it closes. */
const MAX_REASON_BYTES = 123;

/** The code for a client that should connect again later. */
export const TRY_AGAIN_LATER = 1013;

/** Returns the code with which a WebSocket is closed after an error. */
export function toCloseCode({ status }: GatewayError): number {
  if (status === 401) return CloseCode.Unauthorized;
  if (status === 429 || status === 503) return TRY_AGAIN_LATER;
  return status === 403 ? CloseCode.Forbidden : CloseCode.InternalServerError;
}

/** Cuts a message to the length that a reason can have. */
export function toReason(message: string): string {
  return Buffer.from(message)
    .toString('utf8', 0, MAX_REASON_BYTES)
    .replace(/\uFFFD$/, '');
}
