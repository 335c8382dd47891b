import { addTerm, type ConsoleFilter, type ListField, removeTerm } from '../filter/console-filter.js';
import { Link } from '../navigation/link.js';
import { useSetFilter } from '../navigation/use-page.js';
import { type Subject, WORDS } from '../subject/subject.js';
import { describeTerm } from './describe-term.js';

/** The fields that the hint offers for a free text, because the user may have meant the name of a flag or of a person. */
const NAME_FIELDS = ['flags', 'people'] as const satisfies readonly ListField[];

/**
 * Says that a free text is searched only in the data of events, and offers to filter by that text as a name. Without a free text,
 * links to the page of the flag, person or project that `findSubject` returns.
 */
export function FilterHint({ filter }: { readonly filter: ConsoleFilter }) {
  const setFilter = useSetFilter();
  const { text } = filter;
  if (text !== '') {
    const withoutText = removeTerm(filter, { field: 'text', value: text });
    return (
      <p className="filter-hint muted">
        The text is searched only in the data of events. To search for a name, use{' '}
        {NAME_FIELDS.map((field, index) => (
          <span key={field}>
            {index > 0 && ' or '}
            <button type="button" className="chip" onClick={() => setFilter(addTerm(withoutText, { field, value: text }))}>
              {describeTerm({ field, value: text })}
            </button>
          </span>
        ))}
      </p>
    );
  }
  const subject = findSubject(filter);
  if (!subject) return null;
  return (
    <p className="filter-hint">
      <Link to={{ page: subject.kind, name: subject.name }}>
        {WORDS[subject.kind]} {subject.name}: history and numbers
      </Link>
    </p>
  );
}

/** Returns the flag of a filter, or else its person, or else its project. Undefined if the filter has several of this kind. */
function findSubject(filter: ConsoleFilter): Subject | undefined {
  const candidates: Subject[] = [
    ...filter.flags.map((name) => ({ kind: 'flag' as const, name })),
    ...filter.people.map((name) => ({ kind: 'person' as const, name })),
    ...filter.projects.map((name) => ({ kind: 'project' as const, name })),
  ];
  const [first] = candidates;
  return first && candidates.filter(({ kind }) => kind === first.kind).length === 1 ? first : undefined;
}
