import type { Caller } from '../auth/caller.js';

/** What all answers from the event log to this caller depend on besides their URL: another value, another answer. */
export type ReadLogVersion = (caller: Caller) => Promise<string>;

/** May be kept by the caller's own client, and is to be asked for each time whether it still holds. */
export const REVALIDATED = 'private, no-cache';

/** Weak: the same events, compressed or not. */
export function toEtag(version: string): string {
  return `W/"${version}"`;
}

/** RFC 9110, 13.1.2: whether one of the listed entity tags is this one, compared weakly. `*` is none: what is wrong has no answer to be kept. */
export function isListed(etag: string, ifNoneMatch: string | undefined): boolean {
  const listed = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return listed.includes(etag.replace(/^W\//, ''));
}
