import type { Totals } from '../log-version/totals.js';
import type { EventCriteria } from './event.js';
import type { EventReads } from './event.store.js';
import type { RowsRead } from './event-cost.js';
import type { OffsetPage } from './event-page.js';

interface SearchedLog {
  readonly reads: Pick<EventReads, 'estimateShare'>;
  readonly totals: Pick<Totals, 'count' | 'findRecent'>;
}

/** A page is charged for at least this share of the rows that a search would compare with a free text. */
const LEAST_PART = 0.1;

/**
 * Estimates the rows that a search reads beyond those it returns. Every filter except a free text has an index that finds its
 * rows. A free text is compared with all rows that the other filters leave, or with the share that a trigram index finds. If the
 * total is cached, PostgreSQL compares only the rows up to the end of the page.
 * @param page null for a search that needs only the total
 */
export async function estimateRows(
  { reads, totals }: SearchedLog,
  criteria: EventCriteria,
  page: OffsetPage | null,
): Promise<Partial<RowsRead>> {
  const total = totals.findRecent(criteria);
  if (page === null && total !== null) return {};
  const { text, ...others } = criteria;
  const found = { skipped: page?.offset ?? 0, lookedUp: countLookedUp(criteria) };
  if (!text) return found;
  // `estimateShare` samples all projects. A cost that depends on the sample would tell a caller about events of hidden projects.
  const share = criteria.visibleProjects ? 1 : await reads.estimateShare(text);
  const searched = share < 1 ? {} : others;
  // A cached 0 may be from before an import. It would make the search of the imported events free.
  const count = totals.findRecent(searched) || (await totals.count(searched)).count;
  const part = page !== null && total !== null && total > 0 ? Math.min(1, (page.offset + page.limit) / total) : 1;
  // Matches may be unevenly spread over the log, so a page costs at least `LEAST_PART` of the rows.
  return { ...found, compared: Math.floor(count * share * Math.max(part, LEAST_PART)) };
}

/** Counts the values in the lists of a filter. The database looks each of them up. */
export function countLookedUp(criteria: EventCriteria): number {
  const { ids, featureNames, projects, types, createdByUserIds, createdByNames, environments } = criteria;
  const lists = [ids, featureNames, projects, types?.names, createdByUserIds, createdByNames, environments];
  return lists.reduce((sum, list) => sum + (list?.length ?? 0), 0);
}
