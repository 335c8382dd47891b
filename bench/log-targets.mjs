import { least, most } from './outcome.mjs';

/** @typedef {import('./outcome.mjs').Outcome} Outcome */

const EXPORT = 'Each page is an operation with a turn, a price and a statement of its own (docs/decisions/039-export.md).';
const COUNT = 'PostgreSQL reads all events that match once (docs/decisions/038-counts.md).';
const CHANGES = 'The comparison of two texts is not interrupted (docs/decisions/037-changes.md).';

/** The comparison of the worst states that were found (docs/decisions/037-changes.md). */
const HOSTILE_MS = 400;

/** @type {(exports: import('./measure-exports.mjs').ExportFigures[]) => Outcome[]} */
export const compareExports = (exports) =>
  exports.flatMap(({ way, format, events, ms, aboveRestBytes }) => [
    least(`export as ${format}, ${NAMES[way]}, events/s`, Math.round(events / (ms / 1000)), 25_000, EXPORT),
    most(`the same, memory above rest`, aboveRestBytes === null ? undefined : aboveRestBytes / 1e6, 100, ' MB', EXPORT),
  ]);

const NAMES = { HTTP: 'over HTTP', command: 'by the command' };

/** @type {(counts: import('./measure-counts.mjs').CountFigures[]) => Outcome[]} */
export const compareCounts = (counts) => [
  most('counts, the first time, slowest kind', Math.max(...counts.map(({ firstMs }) => firstMs)), 1_000, ' ms', COUNT),
  most(
    'counts after 100 new events, slowest kind, p95',
    Math.max(...counts.map(({ againP95Ms }) => againP95Ms)),
    10,
    ' ms',
    COUNT,
  ),
];

/** @type {(changes: import('./measure-changes.mjs').Comparisons) => Outcome[]} */
export function compareChanges({ cases }) {
  const slowest = (/** @type {boolean} */ isHostile, /** @type {'p95Ms' | 'compareP95Ms'} */ figure) =>
    Math.max(...cases.filter((one) => one.isHostile === isHostile).map((one) => one[figure]));
  return [
    most('changes of 2,000 reordered objects, slowest kind, p95', slowest(false, 'p95Ms'), 50, ' ms', CHANGES),
    most('comparing the slowest hostile states, p95', slowest(true, 'compareP95Ms'), HOSTILE_MS, ' ms', CHANGES),
  ];
}
