import { DEFAULT_LIMIT, MAX_LIMIT } from './event-page.js';

/** What a field costs, by its arguments and by what is selected in it once. */
export interface FieldCost<Args> {
  readonly args: Args;
  readonly childComplexity: number;
}

/** A search, with its total: as much as some rows of what it finds. */
const SEARCH = 10;

/** Free text may take a look at much more than it finds. */
const TEXT_SEARCH = 50;

interface SearchArgs {
  readonly filter?: { readonly query?: string | null } | null;
  readonly limit?: number;
  readonly first?: number | null;
  readonly last?: number | null;
}

/** A search and each event of its page: those asked for, as nobody knows beforehand how many there are. */
export function costOfSearch({ args: { filter, limit, first, last }, childComplexity }: FieldCost<SearchArgs>): number {
  const asked = limit ?? first ?? last ?? DEFAULT_LIMIT;
  return (filter?.query ? TEXT_SEARCH : SEARCH) + within(asked) * childComplexity;
}

/** All events of a flag, of which there are as many as there are: counted like the largest page. */
export function costOfFeature({ childComplexity }: FieldCost<unknown>): number {
  return SEARCH + MAX_LIMIT * childComplexity;
}

/** What is beyond is refused for itself. */
function within(size: number): number {
  return Math.min(Math.max(size, 0), MAX_LIMIT);
}
