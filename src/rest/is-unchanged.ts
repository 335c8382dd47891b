import type { FastifyReply, FastifyRequest } from 'fastify';
import { isListed, REVALIDATED, toEtag } from '../etag.js';

/**
 * Gives the answer to a read of the log the entity tag of a version that was read before anything of the answer was: it is never newer than
 * what it stands for. @returns whether the client has this answer already
 */
export function isUnchanged({ headers }: FastifyRequest, reply: FastifyReply, version: string): boolean {
  const etag = toEtag(version);
  reply.header('etag', etag).header('cache-control', REVALIDATED);
  return isListed(etag, headers['if-none-match']);
}
