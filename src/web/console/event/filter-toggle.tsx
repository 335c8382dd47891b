import { type LucideIcon, Minus, Plus, X } from 'lucide-react';
import { addTerm, type ConsoleFilter, type FilterTerm, listTerms, removeTerm } from '../filter/console-filter.js';
import { useSetFilter } from '../navigation/use-page.js';
import { describeTerm } from '../timeline/describe-term.js';

interface ExcludeTypeProps {
  readonly filter: ConsoleFilter;
  readonly value: string;
}

/**
 * A button that excludes the events of a type. The GraphQL filter cannot exclude values, so the request lists all other types
 * instead. This works only for types, because the console has no complete list of the values of other fields.
 */
export function ExcludeType({ filter, value }: ExcludeTypeProps) {
  const setFilter = useSetFilter();
  if (filter.types.includes(value)) return null;
  const term: FilterTerm = { field: 'notTypes', value };
  const label = `Leave out events of the type ${value}`;
  return <SignButton Sign={Minus} label={label} onClick={() => setFilter(addTerm(filter, term))} />;
}

/** A button that adds a value to the filter, or removes the value if the filter has it. */
export function FilterToggle({ filter, term }: { readonly filter: ConsoleFilter; readonly term: FilterTerm }) {
  const setFilter = useSetFilter();
  const isIn = listTerms(filter).some(({ field, value }) => field === term.field && value === term.value);
  const label = isIn ? `Remove ${describeTerm(term)} from the filter` : `Add ${describeTerm(term)} to the filter`;
  const changed = isIn ? removeTerm(filter, term) : addTerm(filter, term);
  return <SignButton Sign={isIn ? X : Plus} label={label} onClick={() => setFilter(changed)} />;
}

interface SignButtonProps {
  readonly Sign: LucideIcon;
  readonly label: string;
  readonly onClick: () => void;
}

function SignButton({ Sign, label, onClick }: SignButtonProps) {
  return (
    <button type="button" className="button is-quiet is-square is-small" aria-label={label} title={label} onClick={onClick}>
      <Sign aria-hidden size={14} />
    </button>
  );
}
