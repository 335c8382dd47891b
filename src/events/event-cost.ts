import { DEFAULT_LIMIT, MAX_LIMIT } from './event-page.js';

/** The cost of a field depends on its arguments and on the cost of its selection for one item. */
export interface FieldCost<Args> {
  readonly args: Args;
  readonly childComplexity: number;
}

/** The fixed cost of a search with its total: that of ten events. */
const SEARCH = 10;

/** A free-text search can read many more rows than it finds. */
const TEXT_SEARCH = 50;

interface SearchArgs {
  readonly filter?: { readonly query?: string | null } | null;
  readonly limit?: number;
  readonly first?: number | null;
  readonly last?: number | null;
}

/** Returns the cost of a search and of each requested event. The number of events found is unknown before the query runs. */
export function costOfSearch({ args: { filter, limit, first, last }, childComplexity }: FieldCost<SearchArgs>): number {
  const requested = limit ?? first ?? last ?? DEFAULT_LIMIT;
  return (filter?.query ? TEXT_SEARCH : SEARCH) + within(requested) * childComplexity;
}

/** Returns the cost of all events of a flag. Their number is unknown, so they cost as much as the largest page. */
export function costOfFeature({ childComplexity }: FieldCost<unknown>): number {
  return SEARCH + MAX_LIMIT * childComplexity;
}

/** A page size out of range is rejected as an invalid argument. */
function within(size: number): number {
  return Math.min(Math.max(size, 0), MAX_LIMIT);
}
