import type { Suggestion } from './use-suggestions.js';

interface SuggestionListProps {
  readonly id: string;
  readonly suggestions: readonly Suggestion[];
  /** The position of the suggestion that the arrow keys have reached; -1 for none. */
  readonly active: number;
  readonly onPick: (suggestion: Suggestion) => void;
}

/** The list below the filter field. The focus stays in the field, whose `aria-activedescendant` is the active suggestion. */
export function SuggestionList({ id, suggestions, active, onPick }: SuggestionListProps) {
  return (
    <div id={id} className="suggestions" role="listbox" aria-label="Suggestions" tabIndex={-1}>
      {suggestions.map((suggestion, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
        <div
          key={suggestion.completed}
          id={`${id}-${index}`}
          className="suggestion"
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          ref={index === active ? scrollIntoView : null}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(suggestion)}
        >
          <span>{suggestion.label}</span>
          <span className="muted">{suggestion.note}</span>
        </div>
      ))}
    </div>
  );
}

const scrollIntoView = (option: HTMLElement | null) => option?.scrollIntoView({ block: 'nearest' });
