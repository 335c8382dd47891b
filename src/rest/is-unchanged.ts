import type { FastifyReply, FastifyRequest } from 'fastify';
import { isListed, REVALIDATED, type ReadLogVersion, toEtag } from '../etag.js';

/**
 * Gives the answer to a read of the log its entity tag, before anything of the answer is read: it is never newer than what it stands for.
 * @returns whether the client has this answer already
 */
export async function isUnchanged(request: FastifyRequest, reply: FastifyReply, readVersion: ReadLogVersion): Promise<boolean> {
  const etag = toEtag(await readVersion(request.caller));
  reply.header('etag', etag).header('cache-control', REVALIDATED);
  return isListed(etag, request.headers['if-none-match']);
}
