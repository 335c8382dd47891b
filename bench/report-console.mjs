import { LOADS } from './measure-console.mjs';
import { most } from './outcome.mjs';
import { median, percentile } from './statistics.mjs';
import { renderTable } from './table.mjs';

/** The memory that may remain for the cursors and the places of days. */
const MOST_MEGABYTES_MORE = 30;
const MOST_NODES_MORE = 2_000;

/**
 * Renders the figures of the console beside their targets.
 * @param {import('./measure-console.mjs').ConsoleFigures} figures
 * @param {number} events number of events in the log
 */
export function renderConsole({ firstRowsMs, frameMs, scrolled, before, middle, after }, events) {
  const smooth = frameMs.filter((ms) => ms <= 50).length / frameMs.length;
  const megabytes = (/** @type {number} */ bytes) => bytes / 1e6;
  const count = (/** @type {number} */ value) => value.toLocaleString('en');
  const outcomes = [
    most(`first rows from the request, median of ${LOADS}`, median(firstRowsMs), 1_000, ' ms', ''),
    most('frames while scrolling, p95', percentile(frameMs, 0.95), 50, ' ms', ''),
    most(
      'JS heap after scrolling, more than before',
      megabytes(after.heapBytes - before.heapBytes),
      MOST_MEGABYTES_MORE,
      ' MB',
      '',
    ),
    most(
      'JS heap of the second half of the events',
      megabytes(after.heapBytes - middle.heapBytes),
      MOST_MEGABYTES_MORE / 2,
      ' MB',
      '',
    ),
    most('DOM nodes after scrolling, more than before', after.nodes - before.nodes, MOST_NODES_MORE, ' nodes', ''),
  ];
  const rows = outcomes.map(({ what, target, seen, isReached }) => [what, target, seen, isReached ? 'yes' : 'no']);
  const sizes = /** @type {const} */ ([
    ['0', before],
    [count(Math.floor(scrolled / 2)), middle],
    [count(scrolled), after],
  ]);
  return `## Console

The log has ${count(events)} events. ${count(frameMs.length)} frames were shown while the wheel scrolled through ${count(scrolled)} events;
${(smooth * 100).toFixed(1)} % of them took at most 50 ms, the longest one ${count(Math.round(Math.max(...frameMs)))} ms. The slowest load took ${count(Math.round(Math.max(...firstRowsMs)))} ms.

${renderTable(['', 'Target', 'Measured', 'Reached'], rows)}

${renderTable(
  ['Events scrolled through', 'JS heap', 'DOM nodes', 'Rows in the document'],
  sizes.map(([name, { heapBytes, nodes, rows: shown }]) => [
    name,
    `${megabytes(heapBytes).toFixed(1)} MB`,
    count(nodes),
    count(shown),
  ]),
)}
`;
}
