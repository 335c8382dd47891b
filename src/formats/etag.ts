/** The `Cache-Control` of a response that only the client itself may cache, and must revalidate before each use. */
export const REVALIDATED = 'private, no-cache';

/** Returns a weak tag: a compressed and an uncompressed response with the same events share it. */
export function toEtag(version: string): string {
  return `W/"${version}"`;
}

/**
 * Whether If-None-Match lists this tag, by the weak comparison of RFC 9110, 13.1.2. Ignores `*`: otherwise, a request that fails
 * would get a 304 too, although no client can have cached a response to such a request.
 */
export function isListed(etag: string, ifNoneMatch: string | undefined): boolean {
  const listed = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return listed.includes(etag.replace(/^W\//, ''));
}
