import { type KeyboardEvent, type RefObject, useState } from 'react';
import type { ConsoleFilter } from '../filter/console-filter.js';
import { useFilterDraft, useTypedFilter } from './use-filter-draft.js';
import { type Suggestion, useSuggestions } from './use-suggestions.js';

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The state of the filter field: the draft, the caret, and the suggestion that the arrow keys have reached. */
export function useFilterField(filter: ConsoleFilter, input: RefObject<HTMLInputElement | null>) {
  const draft = useFilterDraft(filter);
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [caret, setCaret] = useState(0);
  const { suggestions, isPartial } = useSuggestions(draft.text, Math.min(caret, draft.text.length), isOpen);
  const isShown = isOpen && suggestions.length > 0;
  useTypedFilter(draft, filter, isShown && isPartial);

  const show = (isWanted: boolean) => {
    setIsOpen(isWanted);
    setActive(-1);
  };
  const moveCaret = ({ selectionStart, value }: HTMLInputElement) => setCaret(selectionStart ?? value.length);
  const pick = ({ completed }: Suggestion) => {
    setCaret(completed.length);
    input.current?.focus();
    // A key such as `flag:` needs a value, so the list then suggests values.
    const needsValue = completed.endsWith(':');
    show(needsValue);
    if (needsValue) draft.type(completed);
    else draft.choose(completed);
  };
  const pressEnter = () => {
    const chosen = isShown ? suggestions[active] : undefined;
    if (chosen) return pick(chosen);
    draft.choose(draft.text);
    show(false);
  };
  const press = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined && event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    if (event.key === 'Enter') pressEnter();
    else if (event.key === 'Escape' && !isShown) input.current?.blur();
    else if (step === undefined || !isShown) show(step !== undefined);
    else setActive((active + step + suggestions.length) % suggestions.length);
  };
  return {
    draft,
    suggestions,
    isShown,
    active,
    pick,
    press,
    moveCaret,
    type(target: HTMLInputElement) {
      draft.type(target.value);
      moveCaret(target);
      show(true);
    },
    open(target: HTMLInputElement) {
      moveCaret(target);
      show(true);
    },
    close: () => show(false),
  };
}
