import type { FastifyReply, FastifyRequest } from 'fastify';
import { isListed, REVALIDATED, toEtag } from '../formats/etag.js';

/** Sets the entity tag of a response from the event log. The version is never newer than the events in the response. */
export function setVersion(reply: FastifyReply, version: string): void {
  reply.header('etag', toEtag(version)).header('cache-control', REVALIDATED);
}

/** Whether the client has already cached the response of this version. */
export function isKnown({ headers }: FastifyRequest, version: string): boolean {
  return isListed(toEtag(version), headers['if-none-match']);
}
