import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What a proxy on the way may call a request: nothing that could be taken for more than a name in a log. */
const REQUEST_ID = /^[\w.:+/=-]{1,128}$/;

/** The `x-request-id` of a request, or a new one. */
export function toRequestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}
