import { useTotal } from '../api/queries.js';
import { type ConsoleFilter, type FilterTerm, isEmptyFilter, listTerms, removeTerm } from '../filter/console-filter.js';
import { toEventFilter } from '../filter/filter-variables.js';
import { useSetFilter } from '../navigation/use-page.js';
import { describeProjects } from '../session/describe-viewer.js';
import { useSession } from '../session/session.js';
import { describeTerm } from './describe-term.js';

/** Says why the list is empty, and how to get events. */
export function NoEvents({ filter }: { readonly filter: ConsoleFilter }) {
  const { viewer } = useSession();
  if (isEmptyFilter(filter)) return viewer.projects == null ? <EmptyLog /> : <NothingToSee />;
  return (
    <div className="notice">
      <div>
        <h2>Nothing matches this filter</h2>
        {viewer.projects != null && <p className="muted">This token sees the events of {describeProjects(viewer)}.</p>}
        <ul className="alternatives">
          {listTerms(filter).map((term) => (
            <Alternative key={`${term.field} ${term.value}`} filter={filter} term={term} />
          ))}
        </ul>
      </div>
    </div>
  );
}

/** Offers to remove one part of the filter, and shows how many events would then match. */
function Alternative({ filter, term }: { readonly filter: ConsoleFilter; readonly term: FilterTerm }) {
  const setFilter = useSetFilter();
  const without = removeTerm(filter, term);
  const minute = Math.floor(Date.now() / 60_000) * 60_000;
  const total = useTotal(toEventFilter(without, new Date(minute)), 0).data?.eventCounts.total;
  return (
    <li>
      <button type="button" className="button" onClick={() => setFilter(without)}>
        Without {describeTerm(term)}
      </button>{' '}
      {total !== undefined && (
        <span className="muted">
          {total.toLocaleString('en')} {total === 1 ? 'event' : 'events'}
        </span>
      )}
    </li>
  );
}

function EmptyLog() {
  return (
    <div className="notice">
      <div>
        <h2>There are no events yet</h2>
        <p>Fill the gateway's own database from a file, or from an Unleash server:</p>
        <pre>flag-admin-gateway import events.ndjson{'\n'}flag-admin-gateway mirror --from https://unleash.example.com</pre>
        <p className="muted">
          For a log to try this page with, run <code>flag-admin-gateway demo</code>.
        </p>
      </div>
    </div>
  );
}

function NothingToSee() {
  const { viewer } = useSession();
  return (
    <div className="notice">
      <div>
        <h2>There is nothing that this token may see</h2>
        <p>
          It sees the events of {describeProjects(viewer)}, and the log has none. An operator creates tokens for other projects.
        </p>
      </div>
    </div>
  );
}
