import { useEffect, useState } from 'react';
import { type ConsoleFilter, isSameFilter } from '../filter/console-filter.js';
import { type FilterProblem, parseFilterText, printFilterText } from '../filter/filter-text.js';
import { useSetFilter } from '../navigation/use-page.js';

/** A typed filter is applied when the user has not typed for this long. */
const TYPING_MS = 300;

export interface FilterDraft {
  readonly text: string;
  readonly problems: readonly FilterProblem[];
  /** Sets the typed text. `useTypedFilter` applies it later, and replaces the current entry of the browser history. */
  readonly type: (text: string) => void;
  /** Applies a text at once, as a new entry of the browser history. */
  readonly choose: (text: string) => void;
}

/**
 * Applies the typed text after a pause.
 * @param isHeld whether to wait longer, because the user may choose a suggestion for the part at the caret
 */
export function useTypedFilter({ text }: FilterDraft, filter: ConsoleFilter, isHeld: boolean): void {
  const setFilter = useSetFilter();
  useEffect(() => {
    const typed = parseFilterText(text).filter;
    if (isHeld || isSameFilter(typed, filter)) return;
    const timer = setTimeout(() => setFilter(typed, { replace: true }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, isHeld, filter, setFilter]);
}

/** The text of the filter field: the printed filter until the user types. */
export function useFilterDraft(filter: ConsoleFilter): FilterDraft {
  const setFilter = useSetFilter();
  const [draft, setDraft] = useState<{ readonly text: string; readonly base: ConsoleFilter } | null>(null);
  if (draft !== null && draft.base !== filter) {
    // A filter that was set elsewhere, such as by a chip or by the back button, replaces what was typed.
    const isApplied = isSameFilter(parseFilterText(draft.text).filter, filter);
    setDraft(isApplied ? { ...draft, base: filter } : null);
  }
  const text = draft?.text ?? printFilterText(filter);
  const { problems } = parseFilterText(text);

  return {
    text,
    problems,
    type: (next) => setDraft({ text: next, base: filter }),
    choose(next) {
      setDraft({ text: next, base: filter });
      setFilter(parseFilterText(next).filter);
    },
  };
}
