import { Problems } from '../errors.js';
import type { EventCriteria } from '../events/event.js';
import type { BucketRange } from './buckets.js';
import type { Extent } from './count-table.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The first instants of the years 1 and 10000. The API can write the times of buckets only between these instants. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const END_MS = Date.parse('+010000-01-01T00:00:00Z');

/**
 * Returns the range of the criteria. A side without a limit ends at the first or the last event that matches.
 * @returns null if nothing matches, or the range is empty
 * @throws GatewayError BadDataError if a side without a limit would end outside of the years 1 to 9999
 */
export async function findRange(criteria: EventCriteria, findExtent: () => Promise<Extent>): Promise<BucketRange | null> {
  const { since, until } = findBounds(criteria);
  if (since !== null && until !== null)
    return since < until ? { first: new Date(since), last: new Date(until), isCutAtFirst: true, isCutAtLast: true } : null;
  const extent = await findExtent();
  if (extent.first === null || extent.last === null) return null;
  const [first, last] = [since ?? extent.first, until ?? extent.last + 1];
  if (first < FIRST_MS || last > END_MS) throw outside();
  return { first: new Date(first), last: new Date(last), isCutAtFirst: since !== null, isCutAtLast: until !== null };
}

/** Returns the range that `from`, `to`, `since` and `until` allow together, in milliseconds. Null on a side without a limit. */
export function findBounds({ from, to, since, until }: EventCriteria): { since: number | null; until: number | null } {
  const starts = [from && `${from}T00:00:00Z`, since].flatMap((text) => (text ? Date.parse(text) : []));
  const ends = [to ? Date.parse(`${to}T00:00:00Z`) + DAY_MS : [], until ? Date.parse(until) : []].flat();
  return {
    since: starts.length > 0 ? Math.max(...starts) : null,
    until: ends.length > 0 ? Math.min(...ends) : null,
  };
}

function outside() {
  const problems = new Problems();
  problems.add('interval', 'needs since and until here, because events are outside of the years 0001 to 9999');
  return problems.toError();
}
