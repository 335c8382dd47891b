import { Minus, Plus, X } from 'lucide-react';
import { addTerm, type ConsoleFilter, type FilterTerm, listTerms, removeTerm } from '../filter/console-filter.js';
import { useSetFilter } from '../navigation/use-page.js';
import { describeTerm } from '../timeline/describe-term.js';

interface ExcludeTypeProps {
  readonly filter: ConsoleFilter;
  readonly value: string;
}

/** Leaves the events of a type out. The API can express that for types only. */
export function ExcludeType({ filter, value }: ExcludeTypeProps) {
  const setFilter = useSetFilter();
  if (filter.types.includes(value)) return null;
  const term: FilterTerm = { field: 'notTypes', value };
  const label = `Leave out events of the type ${value}`;
  return (
    <button
      type="button"
      className="button is-quiet is-square is-small"
      aria-label={label}
      title={label}
      onClick={() => setFilter(addTerm(filter, term))}
    >
      <Minus aria-hidden size={14} />
    </button>
  );
}

/** Adds a value to the filter, or removes one that is in it. */
export function FilterToggle({ filter, term }: { readonly filter: ConsoleFilter; readonly term: FilterTerm }) {
  const setFilter = useSetFilter();
  const isIn = listTerms(filter).some(({ field, value }) => field === term.field && value === term.value);
  const Sign = isIn ? X : Plus;
  const label = isIn ? `Remove ${describeTerm(term)} from the filter` : `Add ${describeTerm(term)} to the filter`;
  return (
    <button
      type="button"
      className="button is-quiet is-square is-small"
      aria-label={label}
      title={label}
      onClick={() => setFilter(isIn ? removeTerm(filter, term) : addTerm(filter, term))}
    >
      <Sign aria-hidden size={14} />
    </button>
  );
}
