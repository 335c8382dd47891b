import { ADDED_EVENTS, TURNS, WARM_UPS } from './measure-counts.mjs';
import { UNKNOWN } from './outcome.mjs';
import { renderTable } from './table.mjs';

/** @type {(value: number) => string} */
const whole = (value) => Math.round(value).toLocaleString('en');

/** @type {(ms: number) => string} */
const duration = (ms) => (ms < 100 ? ms.toFixed(1) : whole(ms));

/** @type {(bytes: number | null) => string} */
const megabytes = (bytes) => (bytes === null ? UNKNOWN : `${(bytes / 1e6).toFixed(0)} MB`);

/** @type {(ms: number | null, events: number) => string} */
const perEvent = (ms, events) => (ms === null ? UNKNOWN : ((ms * 1000) / events).toFixed(1));

/** @type {(exports: import('./measure-exports.mjs').ExportFigures[]) => string} */
export const renderExports = (
  exports,
) => `The time of the command begins with its process. Its memory is that above a process that exports one event. Further exports were broken off at
random places and continued, and had the same bytes. "Then more" is by how much the memory of the gateway rose during the second export, which
shows whether memory grows with the number of events. The import of the file into an empty database gave the same log in all columns.

${renderTable(
  [
    'Export',
    'Events',
    'Size',
    'Time',
    'Events/s',
    'Memory above rest',
    'Then more',
    'Gateway CPU µs/event',
    'PostgreSQL CPU µs/event',
    'Breaks',
  ],
  exports.map(({ way, format, events, bytes, ms, aboveRestBytes, againBytes, gatewayCpuMs, databaseCpuMs, breaks }) => [
    `${format}, ${way === 'HTTP' ? 'over HTTP' : 'by the command'}`,
    whole(events),
    megabytes(bytes),
    `${(ms / 1000).toFixed(1)} s`,
    whole(events / (ms / 1000)),
    megabytes(aboveRestBytes),
    megabytes(againBytes),
    perEvent(gatewayCpuMs, events),
    perEvent(databaseCpuMs, events),
    String(breaks),
  ]),
)}`;

/** @type {(counts: import('./measure-counts.mjs').Counts) => string} */
export const renderCounts = ({
  kinds,
  pageP50Ms,
  pageP95Ms,
}) => `The first time is the median over gateways that have counted nothing like it. Then ${ADDED_EVENTS} events were added ${WARM_UPS + TURNS} times, and each kind was
counted after them, one after the other; the first ${WARM_UPS} times are not in the table. All numbers were those of a naive count, whose time is in the last
column. Before the counts of each time, a page of one event took ${duration(pageP50Ms)} ms (p50) and ${duration(pageP95Ms)} ms (p95).

${renderTable(
  ['Counts', 'Events', 'First time ms', 'Again p50 ms', 'Again p95 ms', 'Naive SQL ms'],
  kinds.map(({ name, events, firstMs, againP50Ms, againP95Ms, naiveMs }) => [
    name,
    whole(events),
    ...[firstMs, againP50Ms, againP95Ms, naiveMs].map(duration),
  ]),
)}`;

/** @type {(changes: import('./measure-changes.mjs').Comparisons) => string} */
export const renderChanges = ({
  cases,
  page,
}) => `The states of the events are as long as the limits allow, but for the small objects. A comparison is that of both texts alone. A request reads one event by
its id over GraphQL. Meanwhile, another client sends small requests one after the other.

${renderTable(
  ['States', 'Characters', 'Items', 'Complete', 'Comparison p50 ms', 'p95 ms', 'Request p50 ms', 'p95 ms', 'Others at most ms'],
  cases.map(({ name, characters, items, complete, compareP50Ms, compareP95Ms, p50Ms, p95Ms, othersMs }) => [
    name,
    whole(characters),
    String(items),
    complete ? 'yes' : 'no',
    ...[compareP50Ms, compareP95Ms, p50Ms, p95Ms, othersMs].map(duration),
  ]),
)}

A page of ${page.events} events with the states that took longest had the status ${page.status}${page.message === '' ? '' : ` (${page.message})`}. It took ${duration(page.ms)} ms,
with ${megabytes(page.aboveRestBytes)} of memory above rest. Small requests took at most ${duration(page.othersMs)} ms meanwhile.`;
