import type { FilterTerm } from '../filter/console-filter.js';
import { KEY_OF } from '../filter/filter-keys.js';

/** A part of the filter as its chip shows it. */
export function describeTerm({ field, value }: FilterTerm): string {
  return field === 'text' ? `“${value}”` : `${KEY_OF[field]}: ${value}`;
}
