import { useEffect, useState } from 'react';
import { type ConsoleFilter, isSameFilter } from '../filter/console-filter.js';
import { type FilterProblem, parseFilterText, printFilterText } from '../filter/filter-text.js';
import { useSetFilter } from '../navigation/use-page.js';

/** The time without a key after which a typed filter applies. */
const TYPING_MS = 300;

export interface FilterDraft {
  readonly text: string;
  readonly problems: readonly FilterProblem[];
  /** Takes what is typed. `useTypedFilter` applies it, in the place of the current filter in the history. */
  readonly type: (text: string) => void;
  /** Applies a text at once, as a step of its own in the history. */
  readonly choose: (text: string) => void;
}

/**
 * Applies what was typed after a moment.
 * @param isHeld whether the part at the caret is not complete yet, as its suggestions show
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

/** The text of the field. It is that of the filter until somebody types. */
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
