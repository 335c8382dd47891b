import type { FastifyReply, FastifyRequest } from 'fastify';
import { isListed, REVALIDATED, toEtag } from '../formats/entity-tag.js';

/** Gives the answer to a read of the log its entity tag. The version is never newer than what it stands for. */
export function setVersion(reply: FastifyReply, version: string): void {
  reply.header('etag', toEtag(version)).header('cache-control', REVALIDATED);
}

/** Whether the client has the answer of that version already. */
export function isKnown({ headers }: FastifyRequest, version: string): boolean {
  return isListed(toEtag(version), headers['if-none-match']);
}
