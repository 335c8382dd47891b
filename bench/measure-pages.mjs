import { withAddedEvents } from './added-events.mjs';
import { measureLoad } from './measure-load.mjs';
import { checkSameAnswers, createPageCases, JSON_AGG, STOCK_APOLLO } from './page-cases.mjs';

/**
 * @typedef {import('./page-cases.mjs').Fields} Fields
 * @typedef {import('./event-log.mjs').PageFlags} PageFlags
 * @typedef {'light' | 'heavy'} Rows
 * @typedef {{limit: number, fields: Fields, rows: Rows, reads: Reads}} PageCase
 * @typedef {{name: string, page: PageCase, bytes: number, total: number, load: import('./measure-load.mjs').LoadFigures[]}} PageFigures
 */

/**
 * @typedef {object} Reads a way in which clients read pages
 * @property {string} name
 * @property {boolean} isRepeated whether each request is the same, instead of one flag after the other
 * @property {number | null} addedEveryMs time between two events that are added to the log; null if the log does not change
 * @property {number} [connections] instead of those of the options
 */

/** @type {Reads[]} */
export const READS = [
  { name: 'first reads', isRepeated: false, addedEveryMs: 50 },
  { name: 'asked again', isRepeated: true, addedEveryMs: null },
  { name: 'asked again, an event a second', isRepeated: true, addedEveryMs: 1_000, connections: 50 },
];

/** The case that also measures a server of stock parts, and a page that PostgreSQL builds as JSON. */
const WITH_ALL_SERVERS = '50, all fields, heavy, asked again';

/** On the slowest of the machines that were measured, V8 compiled hot code for 14 seconds under load. */
const FIRST_WARM_UP_SECONDS = 20;
/** A server that is warm from another case only prepares its statements and its documents. */
const WARM_UP_SECONDS = 4;

/** @returns {PageCase[]} */
function allCases() {
  const sizes = /** @type {const} */ ([
    [1, 'all fields'],
    [10, 'all fields'],
    [50, 'all fields'],
    [50, 'three fields'],
    [1000, 'all fields'],
  ]);
  return READS.flatMap((reads) =>
    sizes
      .filter(([limit, fields]) => reads.connections === undefined || (limit === 50 && fields === 'all fields'))
      .flatMap(([limit, fields]) => /** @type {const} */ (['light', 'heavy']).map((rows) => ({ limit, fields, rows, reads }))),
  );
}

/** @type {(page: PageCase) => string} */
export const nameOf = ({ limit, fields, rows, reads }) => `${limit}, ${fields}, ${rows}, ${reads.name}`;

/**
 * Selects cases by their names.
 * @param {string} [filter] parts of the name, separated by commas
 */
export function selectCases(filter) {
  const wanted = filter?.split(',').map((part) => part.trim()) ?? [];
  return allCases().filter((page) => {
    const parts = nameOf(page).split(', ');
    return wanted.every((part) => parts.includes(part));
  });
}

/**
 * Measures pages of events. Pages that differ only in their fields are measured in the same rounds, because the report compares them.
 * @param {PageCase[]} pages
 * @param {{servers: import('./page-cases.mjs').Servers, databaseUrl: string, flags: PageFlags, token: string, serverFilter?: string,
 * databasePid: number, pinned: string[], connections: number, seconds: number, rounds: number}} how serverFilter: text in the names of servers
 * @param {(progress: string) => void} tell
 * @returns {Promise<PageFigures[]>}
 */
export async function measurePages(pages, how, tell) {
  const warm = new Set();
  const figures = [];
  for (const { name, reads, pages: together } of groupByAllButFields(pages)) {
    const prepared = [];
    for (const page of together) prepared.push(await preparePage(page, how, tell));
    const cases = prepared.flatMap(({ cases }) => cases);
    const load = await withAddedEvents(how.databaseUrl, reads.addedEveryMs, () =>
      measureLoad(
        cases.map((one) => ({ ...one, warmUpSeconds: warm.has(one.name) ? WARM_UP_SECONDS : FIRST_WARM_UP_SECONDS })),
        { ...how, connections: reads.connections ?? how.connections },
        (progress) => tell(`${name}: ${progress}`),
      ),
    );
    for (const one of cases) warm.add(one.name);
    for (const { page, cases, bytes, total } of prepared)
      figures.push({ name: nameOf(page), page, bytes, total, load: load.splice(0, cases.length) });
  }
  return figures;
}

/** Groups pages that differ only in their fields. @param {PageCase[]} pages */
function groupByAllButFields(pages) {
  /** @type {Map<string, {name: string, reads: Reads, pages: PageCase[]}>} */
  const groups = new Map();
  for (const page of pages) {
    const { limit, rows, reads } = page;
    const name = `${limit}, ${rows}, ${reads.name}`;
    const group = groups.get(name) ?? { name, reads, pages: [] };
    group.pages.push(page);
    groups.set(name, group);
  }
  return groups.values();
}

/**
 * Creates the requests of a page to all servers, and compares the responses.
 * @param {PageCase} page
 * @param {{servers: import('./page-cases.mjs').Servers, flags: PageFlags, token: string, serverFilter?: string}} how
 * @param {(progress: string) => void} tell
 */
async function preparePage(page, { servers, flags, token, serverFilter = '' }, tell) {
  const name = nameOf(page);
  const cases = createPageCases(servers, { ...page, flags: flagsOf(page, flags), token }).filter(
    (one) => (name === WITH_ALL_SERVERS || ![JSON_AGG, STOCK_APOLLO].includes(one.name)) && one.name.includes(serverFilter),
  );
  tell(`${name}: comparing the responses`);
  const { bytes, total, sizeRanges } = await checkSameAnswers(cases, page.limit);
  return { page, bytes, total, cases: cases.map((one) => ({ ...one, sizeRange: sizeRanges.get(one.name) ?? 0 })) };
}

/** @type {(page: PageCase, flags: PageFlags) => string[]} */
function flagsOf({ limit, rows, reads }, { light, heavy, longLight, longHeavy }) {
  const [ordinary, long] = rows === 'light' ? [light, longLight] : [heavy, longHeavy];
  const flags = limit > 50 ? long : ordinary;
  return reads.isRepeated ? flags.slice(0, 1) : flags;
}
