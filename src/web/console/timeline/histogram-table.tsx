import { memo } from 'react';
import type { ConsoleHistogramQuery } from '../../../generated/console/graphql.js';
import { useZone } from '../preferences/time-zone.js';
import { formatRange } from '../time/format-time.js';

interface HistogramTableProps {
  readonly buckets: ConsoleHistogramQuery['eventCounts']['buckets'];
}

/**
 * The numbers of the histogram for screen readers. While the list scrolls, the histogram is rendered often. `memo` avoids
 * formatting all times again each time.
 */
export const HistogramTable = memo(function HistogramTable({ buckets }: HistogramTableProps) {
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
});
