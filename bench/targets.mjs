/** @typedef {import('./report.mjs').Findings} Findings */
/** @typedef {{what: string, target: string, seen: string, isReached: boolean | null, bound: string}} Outcome isReached: null without a measurement */

const PATH =
  'The bare server only runs two queries. The gateway also checks a token, and parses, validates and executes a GraphQL request. These changes helped: ' +
  'page and total in one statement, JSON as text, compiled queries, prepared statements, a token cache. Larger buffers and other ways to quote text had ' +
  'no effect. With two cores, PostgreSQL and the load generator share one core, which slows down a server that needs more of that core.';
const TAIL =
  'Node collects short-lived memory during the slowest of twenty requests, on the one core that the server is pinned to. In a trial, ' +
  '`--max-semi-space-size=128` reduced the p95 of a page by cursor from 8.7 to 4.2 ms, for some hundred MB.';
const HEAP =
  'Node lets its heap grow before it collects garbage: runs of the same code used between 86 and 178 MB, and between 365 and 591 MB. ' +
  '`--max-old-space-size` limits the heap. There is no leak (docs/decisions/034-plans.md).';
const UNCHANGED =
  'A 304 takes most steps of a request over HTTP: a token, one query for the version of the log, a log line. It saves the events and their JSON, which have become cheaper.';
const SEARCH =
  'PostgreSQL reads the lists of the trigrams and intersects them. The gateway looks up only the selective part of a text (docs/decisions/013-selective-part-of-a-literal.md).';
const IMPORT =
  'On an idle machine and with a log of 100,000 events, Node takes 38 µs of CPU time per event. PostgreSQL takes the rest: it parses, compresses and writes each row. ' +
  'These changes helped: payloads cut out of a line instead of parsed, `COPY`, one batch written while the next is read, all indexes built afterwards.';

/**
 * Compares the measurements with the targets of the project, which are for a log of a million events.
 * @param {Findings} findings
 * @returns {Outcome[]}
 */
export function compareWithTargets({ load, queries, stream, unchanged, imported, documents }) {
  const perSecond = (/** @type {string} */ name) =>
    load.find((figures) => figures.name.includes(name))?.requestsPerSecond ?? Number.NaN;
  const query = (/** @type {RegExp} */ name) => queries.find((figures) => name.test(figures.name));
  const [bare, rest, graphql, stock] = ['pg alone', 'REST', 'GraphQL', 'Apollo'].map(perSecond);
  const least = (
    /** @type {string} */ what,
    /** @type {number} */ value,
    /** @type {number} */ target,
    /** @type {string} */ bound,
  ) => outcome(what, value, `at least ${target}`, value >= target, 2, '', bound);
  const most = (
    /** @type {string} */ what,
    /** @type {number | undefined} */ value,
    /** @type {number} */ target,
    /** @type {string} */ unit,
    /** @type {string} */ bound,
  ) => outcome(what, value, `at most ${target}${unit}`, (value ?? Number.NaN) <= target, unit === '' ? 2 : 0, unit, bound);
  const words = query(/beside words/);
  const hash = query(/another hash/);
  const tenMillion = query(/of 10,000,000 events/);
  const small = query(/of 100,000 events/);
  const bytes = (/** @type {number | null} */ value) => (value === null ? undefined : value / 1e6);
  return [
    least('a page of events, REST, compared to the bare server', ratio(rest, bare), 0.9, PATH),
    least('the same, GraphQL', ratio(graphql, bare), 0.9, PATH),
    least('REST compared to Apollo standalone and Prisma', ratio(rest, stock), 3, PATH),
    least('GraphQL compared to Apollo standalone and Prisma', ratio(graphql, stock), 3, PATH),
    most('free text in one event, beside frequent words, with total, p95', words?.p95Ms, 50, ' ms', SEARCH),
    most('free text in one event, a hash, with total, p95', hash?.p95Ms, 50, ' ms', SEARCH),
    most('free text in one event of 50, first page, p50', query(/one event of 50/)?.p50Ms, 30, ' ms', SEARCH),
    most('first page of all events, with total, p95', query(/^first page of all events, with total$/)?.p95Ms, 10, ' ms', TAIL),
    most('page by cursor, far back, p95', query(/by cursor/)?.p95Ms, 5, ' ms', TAIL),
    most('page by offset, far back, p95', query(/by offset/)?.p95Ms, 250, ' ms', TAIL),
    most(
      'first page of ten million events compared to 100,000, p50',
      tenMillion && small && tenMillion.p50Ms / small.p50Ms,
      1.3,
      '',
      '',
    ),
    most('all events of a busy flag: additional memory', bytes(stream.aboveIdleBytes), 150, ' MB', HEAP),
    most('small pages during that response, p95', stream.othersP95Ms, 100, ' ms', TAIL),
    most(
      '304 compared to the whole response, CPU',
      unchanged ? ratio(unchanged.unchangedCpuMs, unchanged.fullCpuMs) : undefined,
      0.4,
      '',
      UNCHANGED,
    ),
    least('import, events/s', Math.round(imported.events / (imported.loadMs / 1000)), 20_000, IMPORT),
    most('import, memory', bytes(imported.peakBytes), 200, ' MB', HEAP),
    most('memory after many documents compared to few', ratio(documents.lateBytes, documents.earlyBytes), 1.1, '', HEAP),
  ];
}

/** @type {(what: string, value: number | undefined, target: string, isReached: boolean, digits: number, unit: string, bound: string) => Outcome} */
function outcome(what, value, target, isReached, digits, unit, bound) {
  const isKnown = value !== undefined && !Number.isNaN(value);
  const seen = isKnown
    ? `${Number(value.toFixed(value >= 100 ? 0 : digits === 0 ? 1 : digits)).toLocaleString('en')}${unit}`
    : 'not measured';
  return { what, target, seen, isReached: isKnown ? isReached : null, bound };
}

/** @type {(value: number | null | undefined, base: number | null | undefined) => number} */
function ratio(value, base) {
  return value === null || value === undefined || !base ? Number.NaN : value / base;
}
