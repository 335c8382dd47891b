import type { Duplex } from 'node:stream';

/**
 * Returns the response that is still open on a connection. Further bytes would be mixed up with it. Reads the internal field that
 * Node's default handler of client errors reads.
 */
export function findOpenResponse(socket: Duplex): { readonly headersSent: boolean } | null {
  return (socket as Duplex & { _httpMessage?: { readonly headersSent: boolean } | null })._httpMessage ?? null;
}
