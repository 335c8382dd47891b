import type { ConsoleHistogramQuery } from '../../../generated/console/graphql.js';
import { useZone } from '../preferences/time-zone.js';
import { formatRange } from '../time/format-time.js';

/** The numbers of the histogram for screen readers. */
export function HistogramTable({ buckets }: { readonly buckets: ConsoleHistogramQuery['eventCounts']['buckets'] }) {
  const { timeZone } = useZone();
  return (
    <div className="visually-hidden">
      <table>
        <caption>Events over time</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Events</th>
          </tr>
        </thead>
        <tbody>
          {buckets.map(({ start, end, count }) => (
            <tr key={start}>
              <th scope="row">{formatRange(new Date(start), new Date(end), timeZone)}</th>
              <td>{count.toLocaleString('en')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
