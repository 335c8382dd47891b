import { addTerm, type ConsoleFilter, EMPTY_FILTER, listTerms } from './console-filter.js';
import { findField, KEY_OF, TEXT_KEY } from './filter-keys.js';

/**
 * Reads a filter from the query string of a URL, with or without its question mark. Parameters that are no part of a filter and empty
 * values are ignored.
 *
 * A `since` or `until` that is no time, and an excluded type that is not known, are kept. `parseFilterText` of the printed text then has a problem, and `toEventFilter` matches
 * nothing. A broken link therefore never shows more than it meant.
 */
export function readFilter(search: string): ConsoleFilter {
  let filter = EMPTY_FILTER;
  for (const [key, value] of new URLSearchParams(search)) {
    const field = key === TEXT_KEY ? 'text' : findField(key);
    if (field !== undefined && (field === 'text' || value.trim() !== '')) filter = addTerm(filter, { field, value });
  }
  return filter;
}

/** Prints a filter as a query string without a question mark. Empty for an empty filter. */
export function writeFilter(filter: ConsoleFilter): string {
  const parameters = new URLSearchParams();
  for (const { field, value } of listTerms(filter)) parameters.append(field === 'text' ? TEXT_KEY : KEY_OF[field], value);
  return parameters.toString();
}
