import { addTerm, type ConsoleFilter, EMPTY_FILTER, listTerms } from './console-filter.js';
import { findField, KEY_OF, TEXT_KEY } from './filter-keys.js';

/**
 * Reads a filter from the query string of a URL, with or without its question mark. Ignores other parameters, and empty values of
 * lists and times.
 *
 * Keeps an invalid `since` or `until`, and an unknown type to exclude. The filter field then shows a problem, and `toEventFilter`
 * returns a filter that matches nothing. A broken link thus never shows more events than its author meant.
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
