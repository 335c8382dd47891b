import { Search } from 'lucide-react';
import { useId, useRef } from 'react';
import type { ConsoleFilter } from '../filter/console-filter.js';
import { SuggestionList } from './suggestion-list.js';
import { useFilterField } from './use-filter-field.js';

/** The input field of the filter text. Its suggestions complete the part at the caret. */
export function FilterField({ filter }: { readonly filter: ConsoleFilter }) {
  const input = useRef<HTMLInputElement>(null);
  const [listId, problemsId] = [useId(), useId()];
  const field = useFilterField(filter, input);
  const { draft, isShown, active } = field;
  return (
    <div className="filter-field">
      <Search aria-hidden size={16} />
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label="Filter"
        aria-expanded={isShown}
        aria-controls={isShown ? listId : undefined}
        aria-autocomplete="list"
        aria-activedescendant={isShown && active >= 0 ? `${listId}-${active}` : undefined}
        aria-describedby={problemsId}
        aria-invalid={draft.problems.length > 0}
        aria-keyshortcuts="/"
        placeholder="Filter, such as flag:checkout type:feature-archived since:7d"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={draft.text}
        onChange={({ target }) => field.type(target)}
        onClick={({ currentTarget }) => field.open(currentTarget)}
        onKeyDown={field.press}
        onKeyUp={({ currentTarget }) => field.moveCaret(currentTarget)}
        onBlur={field.close}
      />
      {isShown && <SuggestionList id={listId} suggestions={field.suggestions} active={active} onPick={field.pick} />}
      <div id={problemsId} className="field-failure" aria-live="polite">
        {!isShown && draft.problems.map(({ message, start }) => <p key={start}>{message}</p>)}
      </div>
    </div>
  );
}
