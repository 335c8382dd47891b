import { compareChanges, compareCounts, compareExports } from './log-targets.mjs';
import { least, most, ratio } from './outcome.mjs';
import { comparePages } from './page-targets.mjs';

/** @typedef {import('./report.mjs').Findings} Findings */
/** @typedef {import('./outcome.mjs').Outcome} Outcome */

const TAIL =
  'Node collects short-lived memory during the slowest of twenty requests, on the one core that the server is pinned to. In a trial, ' +
  '`--max-semi-space-size=128` reduced the p95 of a page by cursor from 8.7 to 4.2 ms, for some hundred MB.';
const HEAP =
  'Node lets its heap grow before it collects garbage: runs used between 86 and 178 MB, and between 365 and 806 MB. ' +
  '`--max-old-space-size` limits the heap. There is no leak (docs/decisions/034-plans.md).';
const UNCHANGED =
  'A 304 takes most steps of a request over HTTP: a token, one query for the version of the log, a log line. It saves the events and their JSON, which have become cheaper.';
const SEARCH =
  'PostgreSQL reads the lists of the trigrams and intersects them. The gateway looks up only the selective part of a text (docs/decisions/013-selective-part-of-a-literal.md).';
const IMPORT =
  'On an idle machine and with a log of 100,000 events, Node takes 38 µs of CPU time per event. PostgreSQL takes the rest: it parses, compresses and writes each row. ' +
  'These changes helped: payloads cut out of a line instead of parsed, `COPY`, one batch written while the next is read, all indexes built afterwards.';

const LARGE_LOG = 'With its default settings, PostgreSQL probably caches a smaller share of the larger log.';
const PLANS = 'PostgreSQL plans a statement again after it has analyzed the table, and each time if that looks cheaper.';

/**
 * Compares the measurements with the targets of the project, which are for a log of a million events.
 * @param {Findings} findings
 * @returns {Outcome[]}
 */
export function compareWithTargets({ pages, plans, queries, stream, unchanged, imported, documents, exports, counts, changes }) {
  const query = (/** @type {RegExp} */ name) => queries.find((figures) => name.test(figures.name));
  const words = query(/beside words/);
  const hash = query(/another hash/);
  const tenMillion = query(/of 10,000,000 events/);
  const small = query(/of 100,000 events/);
  const bytes = (/** @type {number | null} */ value) => (value === null ? undefined : value / 1e6);
  return [
    ...comparePages(pages.figures),
    ...comparePlans(plans),
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
      LARGE_LOG,
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
    ...compareExports(exports),
    ...compareCounts(counts),
    ...compareChanges(changes),
  ];
}

/** A change of the statistics of a table makes PostgreSQL plan again. */
const FEW_PLANS = 0.1;

/** @type {(plans: import('./measure-plans.mjs').PlanFigures[]) => Outcome[]} */
const comparePlans = (plans) =>
  plans.map(({ events, kind, calls, plans: planned }) => {
    const what = `plans per statement, pages of ${kind} flags, ${events.toLocaleString('en')} events`;
    return most(what, ratio(planned, calls), FEW_PLANS, '', PLANS);
  });
