import { X } from 'lucide-react';
import { type ConsoleFilter, EMPTY_FILTER, listTerms, removeTerm } from '../filter/console-filter.js';
import { useSetFilter } from '../navigation/use-page.js';
import { describeTerm } from './describe-term.js';
import { FilterField } from './filter-field.js';
import { FilterHint } from './filter-hint.js';

/** The field for the filter text, with the parts of the filter as chips below it, and a hint. */
export function FilterBar({ filter }: { readonly filter: ConsoleFilter }) {
  const setFilter = useSetFilter();
  const terms = listTerms(filter);
  return (
    <search className="filter-bar">
      <FilterField filter={filter} />
      {terms.length > 0 && (
        <ul className="chips" aria-label="Parts of the filter">
          {terms.map((term) => (
            <li key={`${term.field} ${term.value}`}>
              <button
                type="button"
                className="chip"
                aria-label={`Remove ${describeTerm(term)}`}
                onClick={() => setFilter(removeTerm(filter, term))}
              >
                {describeTerm(term)} <X aria-hidden size={14} />
              </button>
            </li>
          ))}
          <li>
            <button type="button" className="chip is-clear" onClick={() => setFilter(EMPTY_FILTER)}>
              Clear all
            </button>
          </li>
        </ul>
      )}
      <FilterHint filter={filter} />
    </search>
  );
}
