import { least, most } from './outcome.mjs';

/** @typedef {import('./outcome.mjs').Outcome} Outcome */

const EXPORT =
  'Each page is an operation with a turn, a price and a statement of its own (docs/decisions/039-export.md). A record of CSV doubles each quote of three JSON texts.';
const MEMORY =
  'Node lets the young generation of its heap grow, and frees the buffers of its sockets when it collects it. The export itself holds one page of 96 kB.';
const AGAIN = 'A request adds up the numbers of all of its buckets (docs/decisions/038-counts.md).';
const COUNT = 'PostgreSQL reads all events that match once (docs/decisions/038-counts.md).';
const CHANGES = 'The comparison of two texts is not interrupted (docs/decisions/037-changes.md).';

/** The time for comparing the worst states that were found (docs/decisions/037-changes.md). */
const HOSTILE_MS = 400;

/** Longer states also take long to read. */
const SMALL_CHARACTERS = 500_000;

/** @type {(exports: import('./measure-exports.mjs').ExportFigures[]) => Outcome[]} */
export const compareExports = (exports) =>
  exports.flatMap(({ way, format, events, ms, aboveRestBytes }) => [
    least(`export as ${format}, ${NAMES[way]}, events/s`, Math.round(events / (ms / 1000)), 25_000, EXPORT),
    most('the same, memory above rest', aboveRestBytes === null ? undefined : aboveRestBytes / 1e6, 100, ' MB', MEMORY),
  ]);

const NAMES = { HTTP: 'over HTTP', command: 'by the command' };

/** @type {(counts: import('./measure-counts.mjs').Counts) => Outcome[]} */
export const compareCounts = ({ kinds }) => [
  most('counts, the first time, slowest kind', Math.max(...kinds.map(({ firstMs }) => firstMs)), 1_000, ' ms', COUNT),
  most(
    'counts after 100 new events, slowest kind, p95',
    Math.max(...kinds.map(({ againP95Ms }) => againP95Ms)),
    10,
    ' ms',
    AGAIN,
  ),
];

/** @type {(changes: import('./measure-changes.mjs').Comparisons) => Outcome[]} */
export function compareChanges({ cases }) {
  const ordinary = cases.filter(({ isHostile }) => !isHostile);
  const small = ordinary.filter(({ characters }) => characters < SMALL_CHARACTERS);
  const slowest = (/** @type {typeof cases} */ of, /** @type {'p95Ms' | 'compareP95Ms'} */ figure) =>
    Math.max(...of.map((one) => one[figure]));
  const hostile = cases.filter(({ isHostile }) => isHostile);
  return [
    most('comparing 2,000 reordered objects, slowest kind, p95', slowest(ordinary, 'compareP95Ms'), 50, ' ms', CHANGES),
    most('a whole request for 2,000 reordered small objects, p95', slowest(small, 'p95Ms'), 50, ' ms', CHANGES),
    most('comparing the slowest hostile states, p95', slowest(hostile, 'compareP95Ms'), HOSTILE_MS, ' ms', CHANGES),
  ];
}
