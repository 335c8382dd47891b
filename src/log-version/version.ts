import { hash } from 'node:crypto';
import type { ProjectScope } from '../auth/caller.js';
import type { RequestContext } from '../request-context.js';
import type { Epoch } from './epoch.store.js';

/** The number of matching events, with the epoch and the server of the count (epoch.store.ts). */
export interface EpochCount extends Epoch {
  readonly count: number;
}

/** Returns the version of the event log for a caller. Responses from the log depend only on their URL and this version. */
export type ReadLogVersion = (context: RequestContext) => Promise<string>;

/** Raise this number when the response for the same events changes. */
const RESPONSE_FORMAT = 1;

/**
 * Returns the version of the counted events for a caller with these projects. The version changes when a matching event is added,
 * or when any event of the log is changed, even in a project that the caller cannot see. It reveals no count. An entity tag is a
 * version as an HTTP header (totals.ts).
 */
export function toVersion({ epoch, server, count }: EpochCount, projects: ProjectScope): string {
  return hash('sha256', JSON.stringify([RESPONSE_FORMAT, epoch, server, count, projects]), 'base64url');
}
