import type { EventFilter } from '../../../generated/console/graphql.js';
import { toFailure } from '../api/gateway-failure.js';
import { useGroups } from '../api/queries.js';
import { addTerm, type ConsoleFilter } from '../filter/console-filter.js';
import { Link } from '../navigation/link.js';
import { FailureNotice } from '../states/failure-notice.js';
import type { Breakdown } from './subject.js';

interface BreakdownTableProps {
  readonly breakdown: Breakdown;
  readonly variables: EventFilter;
  readonly filter: ConsoleFilter;
}

const SHOWN = 8;

/** A table of the most frequent values of a property, with the number of events for each. Each value links to its events. */
export function BreakdownTable({ breakdown: { title, by, field }, variables, filter }: BreakdownTableProps) {
  const { data, error, refetch } = useGroups(variables, by, SHOWN);
  if (error)
    return (
      <FailureNotice failure={toFailure(error)} what={`The numbers ${title.toLowerCase()}`} onRetry={() => void refetch()} />
    );
  const { groups = [], other = 0, distinct = 0 } = data?.eventCounts ?? {};
  const most = Math.max(1, ...groups.map(({ count }) => count));
  return (
    <table className="breakdown">
      <caption>{title}</caption>
      <colgroup>
        <col className="breakdown-values" />
        <col />
      </colgroup>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">Value</th>
          <th scope="col">Events</th>
        </tr>
      </thead>
      <tbody>
        {groups.map(({ key, count }) => (
          <tr key={key ?? ''}>
            <th scope="row">
              {key == null ? (
                <span className="muted">none</span>
              ) : (
                <Link to={{ page: 'timeline' }} filter={addTerm(filter, { field, value: key })}>
                  {key}
                </Link>
              )}
            </th>
            <td>
              <span className="share" style={{ width: `${(count / most) * 100}%` }} aria-hidden />
              <span>{count.toLocaleString('en')}</span>
            </td>
          </tr>
        ))}
        {other > 0 && (
          <tr>
            <th scope="row" className="muted">
              {(distinct - groups.length).toLocaleString('en')} more
            </th>
            <td>
              <span>{other.toLocaleString('en')}</span>
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
