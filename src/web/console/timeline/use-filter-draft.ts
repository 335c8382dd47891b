import { useEffect, useState } from 'react';
import { type ConsoleFilter, isSameFilter } from '../filter/console-filter.js';
import { type FilterProblem, parseFilterText, printFilterText } from '../filter/filter-text.js';
import { useSetFilter } from '../navigation/use-page.js';

/** The time without a key after which a typed filter applies. */
const TYPING_MS = 300;

export interface FilterDraft {
  readonly text: string;
  readonly problems: readonly FilterProblem[];
  /** Takes what is typed. The filter follows after a moment, in the place of the current one in the history. */
  readonly type: (text: string) => void;
  /** Applies a text at once, as a step of its own in the history. */
  readonly choose: (text: string) => void;
}

/** The text of the field. It is that of the filter until somebody types. */
export function useFilterDraft(filter: ConsoleFilter): FilterDraft {
  const setFilter = useSetFilter();
  const [draft, setDraft] = useState<{ readonly text: string; readonly base: ConsoleFilter } | null>(null);
  // A filter that was set elsewhere, such as by a chip or by the back button, replaces what was typed.
  const isCurrent = draft !== null && (draft.base === filter || isSameFilter(parseFilterText(draft.text).filter, filter));
  const text = isCurrent ? draft.text : printFilterText(filter);
  const { problems } = parseFilterText(text);

  useEffect(() => {
    if (!isCurrent) return;
    const typed = parseFilterText(draft.text).filter;
    if (isSameFilter(typed, filter)) return;
    const timer = setTimeout(() => setFilter(typed, { replace: true }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [draft, isCurrent, filter, setFilter]);

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
