import { Autocomplete } from '@base-ui/react/autocomplete';
import { Search } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import type { ConsoleFilter } from '../filter/console-filter.js';
import { useFilterDraft } from './use-filter-draft.js';
import { type Suggestion, useSuggestions } from './use-suggestions.js';

/** The field of the filter text. Its suggestions complete the part at the caret. */
export function FilterField({ filter }: { readonly filter: ConsoleFilter }) {
  const draft = useFilterDraft(filter);
  const input = useRef<HTMLInputElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [caret, setCaret] = useState(draft.text.length);
  const suggestions = useSuggestions(filter, draft.text, Math.min(caret, draft.text.length), isOpen);
  const isShown = isOpen && suggestions.length > 0;
  const problemsId = useId();
  const readCaret = () => setCaret(input.current?.selectionStart ?? draft.text.length);

  return (
    <div className="filter-field">
      <Autocomplete.Root
        items={suggestions}
        mode="none"
        // The component's own popup would hide the rest of the page from screen readers, although it can still be focused.
        inline
        open={isShown}
        onOpenChange={setIsOpen}
        openOnInputClick
        value={draft.text}
        itemToStringValue={({ completed }: Suggestion) => completed}
        onValueChange={(text, { reason }) => {
          if (reason === 'item-press') draft.choose(text);
          else draft.type(text);
          setCaret(reason === 'item-press' ? text.length : (input.current?.selectionStart ?? text.length));
        }}
      >
        <Search aria-hidden size={16} />
        <Autocomplete.Input
          ref={input}
          aria-label="Filter"
          aria-describedby={problemsId}
          aria-invalid={draft.problems.length > 0}
          placeholder="Filter, such as project:default type:feature-archived since:7d"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          data-shortcut="filter"
          onKeyUp={readCaret}
          onClick={readCaret}
        />
        {isShown && (
          <Autocomplete.List className="suggestions">
            {(suggestion: Suggestion) => (
              <Autocomplete.Item key={suggestion.completed} value={suggestion} className="suggestion">
                <span>{suggestion.label}</span>
                <span className="muted">{suggestion.note}</span>
              </Autocomplete.Item>
            )}
          </Autocomplete.List>
        )}
      </Autocomplete.Root>
      <div id={problemsId} className="field-failure" aria-live="polite">
        {draft.problems.map(({ message, start }) => (
          <p key={start}>{message}</p>
        ))}
      </div>
    </div>
  );
}
