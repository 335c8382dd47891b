import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The accepted form of an `x-request-id`. It has no spaces, quotes or line breaks that could forge a part of a log line. */
const REQUEST_ID = /^[\w.:+/=-]{1,128}$/;

/** Returns the `x-request-id` of a request if it has the accepted form, otherwise a new id. */
export function toRequestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}
