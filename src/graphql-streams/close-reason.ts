import { CloseCode } from 'graphql-ws';
import type { GatewayError } from '../errors.js';

/** The most bytes of the reason in a WebSocket's close frame. */
const MAX_REASON_BYTES = 123;

/** The close code for a client that should connect again later. */
export const TRY_AGAIN_LATER = 1013;

/** Returns the code with which a WebSocket is closed after an error. */
export function toCloseCode({ status }: GatewayError): number {
  if (status === 401) return CloseCode.Unauthorized;
  if (status === 429 || status === 503) return TRY_AGAIN_LATER;
  return status === 403 ? CloseCode.Forbidden : CloseCode.InternalServerError;
}

/** Cuts a message to the length that the reason of a close can have. */
export function toReason(message: string): string {
  return Buffer.from(message)
    .toString('utf8', 0, MAX_REASON_BYTES)
    .replace(/\uFFFD$/, '');
}
