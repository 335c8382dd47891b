import type { Totals } from '../log-version/totals.js';
import type { EventCriteria } from './event.js';
import type { EventReads } from './event.store.js';
import type { RowsRead } from './event-cost.js';
import type { OffsetPage } from './event-page.js';

interface SearchedLog {
  readonly reads: Pick<EventReads, 'estimateShare'>;
  readonly totals: Pick<Totals, 'count' | 'findRecent'>;
}

/** The least part of the rows that a page is charged for. */
const LEAST_PART = 0.1;

/**
 * Estimates the rows that a search reads beyond those it returns. An index finds the rows of every filter except a free text, which is
 * compared with all rows that the other filters leave, or with the share that a trigram index finds. If the total is cached, only the rows
 * up to the end of the page are compared.
 * @param page null for a search without a page
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
  // The sample includes events of all projects, and a price that depends on them would tell a limited caller about them.
  const share = criteria.visibleProjects ? 1 : await reads.estimateShare(text);
  const searched = share < 1 ? {} : others;
  const count = totals.findRecent(searched) ?? (await totals.count(searched)).count;
  const part = page !== null && total !== null && total > 0 ? Math.min(1, (page.offset + page.limit) / total) : 1;
  // Matches need not be spread evenly over the log.
  return { ...found, compared: Math.floor(count * share * Math.max(part, LEAST_PART)) };
}

/** Counts the values in the lists of a filter, each of which the database looks up. */
export function countLookedUp(criteria: EventCriteria): number {
  const { ids, featureNames, projects, types, createdByUserIds, createdByNames, environments } = criteria;
  const lists = [ids, featureNames, projects, types?.names, createdByUserIds, createdByNames, environments];
  return lists.reduce((sum, list) => sum + (list?.length ?? 0), 0);
}
