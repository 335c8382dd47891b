import os from 'node:os';
import { RUNS, RUNS_BEFORE } from './measure-plans.mjs';
import { STARTS } from './measure-start.mjs';
import { measureNewMemory } from './new-memory.mjs';
import { renderOutcomes, UNKNOWN } from './outcome.mjs';
import { renderChanges, renderCounts, renderExports } from './report-log.mjs';
import { renderPages, renderPlans } from './report-pages.mjs';
import { POSTGRAPHILE_VERSION } from './rivals/install-postgraphile.mjs';
import { renderTable } from './table.mjs';
import { compareWithTargets } from './targets.mjs';

/**
 * @typedef {object} Findings
 * @property {import('./options.mjs').Options} options
 * @property {string} postgresVersion
 * @property {number} loadBefore load average of the minute before the run
 * @property {string} pinning assignment of processes to cores, as a sentence
 * @property {{figures: import('./measure-pages.mjs').PageFigures[], added: number}} pages added: number of events for the pages
 * @property {boolean} hasPostgraphile
 * @property {import('./measure-start.mjs').StartFigures[]} starts
 * @property {import('./measure-import.mjs').ImportFigures} imported
 * @property {import('./measure-stream.mjs').StreamFigures} stream
 * @property {import('./measure-exports.mjs').ExportFigures[]} exports
 * @property {import('./measure-counts.mjs').Counts} counts
 * @property {import('./measure-changes.mjs').Comparisons} changes
 * @property {import('./measure-unchanged.mjs').UnchangedFigures | null} unchanged
 * @property {import('./measure-queries.mjs').QueryFigures[]} queries
 * @property {import('./measure-documents.mjs').DocumentFigures} documents
 * @property {import('./measure-plans.mjs').PlanFigures[]} plans
 */

/** @param {Findings} findings */
export function renderReport(findings) {
  const { options, postgresVersion, loadBefore, pages, starts, imported, stream, unchanged, queries, documents, plans } =
    findings;
  const targets = compareWithTargets(findings);
  const { events, seconds, rounds, connections, large } = options;
  return `# Performance

${paragraph(`\`npm run bench\` writes this report; [bench/README.md](../bench/README.md) describes the method. The figures are from one machine at one
time, and other work on the machine changes them. Compare only figures of the same run.`)}

${renderTable(
  ['', ''],
  [
    ['Date', new Date().toISOString().slice(0, 10)],
    [
      'Command',
      `\`npm run bench -- --events ${events} --seconds ${seconds} --rounds ${rounds} --connections ${connections}${large ? ' --large' : ''}\``,
    ],
    ['Processor', `${os.cpus()[0]?.model.trim()}, ${os.availableParallelism()} cores`],
    ['Load average before', `${loadBefore.toFixed(1)} (0 is an idle machine)`],
    ['Memory', `${(os.totalmem() / 2 ** 30).toFixed(0)} GiB; 4 kB of new memory take ${measureNewMemory().toFixed(1)} µs`],
    ['Node.js', process.version.slice(1)],
    ['PostgreSQL', `${postgresVersion}, default settings`],
  ],
)}

## Targets

${renderOutcomes(targets)}

${missed(targets)}

## Pages of events

${paragraph(pagesText(findings))}

${paragraph(`The bare server does the least possible work for the response: two named statements by \`pg\`, and \`JSON.stringify\` behind \`node:http\`. The second
server lets PostgreSQL write the JSON (\`json_agg\`) and forwards the text. The gateway checks the API token, limits cost, counts metrics and writes a
log line; REST goes through GraphQL too. PostGraphile ${POSTGRAPHILE_VERSION} runs on Node.js 24 with its settings for production, and with \`outputDataAsString\`. The last server consists of stock parts:
Apollo's standalone server with Prisma's \`findMany\` and \`count\`. Only the gateway requires a token.`)}

${paragraph(`If the core of a server is busy nearly all the time, its own CPU time limits the requests per second. Otherwise the server waits for PostgreSQL, for
the load generator, or for a core that other work on the machine uses.`)}

${renderPages(pages.figures, '###')}

## Queries that could depend on the size of the log

${paragraph(`One client sends the queries to the gateway, one after the other. The log has ${count(events)} events unless the row names another size. The first
row shows such a query without a gateway on this machine.`)}

${renderTable(
  ['Query', 'Requests', 'p50 ms', 'p95 ms', 'Target: p95 ms'],
  queries.map(({ name, target, requests, p50Ms, p95Ms }) => [
    name,
    count(requests),
    p50Ms.toFixed(1),
    p95Ms.toFixed(1),
    target || UNKNOWN,
  ]),
)}

## Plans

${paragraph(`PostgreSQL can keep one plan for a statement that it has planned five times on a connection. Each kind of flag has a gateway of its own
with one connection. In each round, an event is added, and a page is requested over REST and over GraphQL. After ${RUNS_BEFORE} rounds, PostgreSQL counts
the statements of ${RUNS} rounds, and how often it plans one (\`pg_stat_statements\`).`)}

${renderPlans(plans)}

## All events of one flag over REST

${paragraph(`The response has ${count(stream.events)} events and ${megabytes(stream.bytes)}, and took ${(stream.ms / 1000).toFixed(1)} s. The gateway's memory rose by at most
${megabytes(stream.aboveIdleBytes)} (target: 150 MB). Another client requested small pages meanwhile; their p95 was
${stream.othersP95Ms.toFixed(0)} ms (target: 100 ms).`)}

## Unchanged responses

${paragraph(`A page of 50 events over REST takes ${unchanged?.fullCpuMs?.toFixed(2) ?? UNKNOWN} ms of the server's CPU time. A 304 for an unchanged page takes
${unchanged?.unchangedCpuMs?.toFixed(2) ?? UNKNOWN} ms, a ratio of ${ratio(unchanged?.unchangedCpuMs ?? null, unchanged?.fullCpuMs)} (target: 0.4).`)}

## Memory over many documents

${paragraph(`After ${count(documents.early)} requests of ${count(documents.documents)} different documents, the gateway uses ${megabytes(documents.earlyBytes)}
(median of the last quarter of that time). After ${count(documents.late)} requests it uses ${megabytes(documents.lateBytes)}, a ratio of ${ratio(documents.lateBytes, documents.earlyBytes)} (target: 1.10).`)}

## Start and memory

${paragraph(`The time is from spawning the gateway to its ready line. The memory is its resident memory two seconds later, before any request. The gateway is
not pinned to a core in this measurement. Each figure is the median of ${STARTS} starts.`)}

${renderTable(
  ['Database', 'Ready after', 'Idle memory'],
  starts.map(({ name, startMs, idleBytes }) => [name, `${(startMs / 1000).toFixed(2)} s`, megabytes(idleBytes)]),
)}

## Import

${paragraph(`\`flag-admin-gateway import\` loads the ${count(imported.events)} events of the same log, exported in wire form (${megabytes(imported.fileBytes)}), into an
empty PostgreSQL database. The time of the events begins with the process and ends with their commit. Then the import builds the indexes, while a gateway can serve the log.`)}

${renderTable(
  ['Events', 'Events/s', 'Indexes', 'Peak memory of the process'],
  [
    [
      `${(imported.loadMs / 1000).toFixed(1)} s`,
      count(imported.events / (imported.loadMs / 1000)),
      `${((imported.ms - imported.loadMs) / 1000).toFixed(1)} s`,
      megabytes(imported.peakBytes),
    ],
  ],
)}

## Exports

${renderExports(findings.exports)}

## Counts

${renderCounts(findings.counts)}

## Changes of an event

${renderChanges(findings.changes)}
`;
}

/** Explains the targets that were not reached. @type {(targets: import('./outcome.mjs').Outcome[]) => string} */
function missed(targets) {
  /** @type {Map<string, string[]>} */
  const bounds = new Map();
  for (const { what, isReached, bound } of targets) {
    if (isReached === false) bounds.set(bound, [...(bounds.get(bound) ?? []), what]);
  }
  return [...bounds]
    .map(([bound, whats]) => `Not reached:\n\n${whats.map((what) => `- ${what}`).join('\n')}\n\n${paragraph(bound)}`)
    .join('\n\n');
}

/** @type {(findings: Findings) => string} */
function pagesText({ options: { events, seconds, rounds, connections }, pages: { figures, added }, hasPostgraphile, pinning }) {
  const kilobytes = (/** @type {'light' | 'heavy'} */ rows) => {
    const page = figures.find((one) => one.page.rows === rows && one.page.limit === 50);
    return page ? `${(page.bytes / 1000).toFixed(0)} kB` : UNKNOWN;
  };
  return `Each request returns the newest events of one flag with their total, from a log of ${count(events + added)} events. A page of 50 has ${kilobytes('light')} with
light rows, and ${kilobytes('heavy')} with heavy rows. Before each measurement, all responses were checked to contain the same events. No request failed. With
"first reads", an event is added to the log every 50 ms, and the requests read many flags in turn, so that hardly any flag is read twice in between. With
"asked again", each request is the same. There are ${connections} concurrent requests, and 50 where an event is added each second. The added events belong to a flag that nobody
reads, so that pages and totals stay the same. The CPU time of PostgreSQL includes adding them. The servers take turns of ${seconds} s in ${rounds} rounds,
and each figure is the median over the rounds. ${pinning}${hasPostgraphile ? '' : ' PostGraphile was not measured, because it could not be installed.'}`;
}

/** @type {(value: number) => string} */
const count = (value) => Math.round(value).toLocaleString('en');

/** @type {(bytes: number | null) => string} */
const megabytes = (bytes) => (bytes === null ? UNKNOWN : `${(bytes / 1e6).toFixed(0)} MB`);

/** @type {(value: number | null, base: number | null | undefined) => string} */
const ratio = (value, base) => (value === null || !base ? UNKNOWN : (value / base).toFixed(2));

const LINE_WIDTH = 130;

/** Wraps a text into lines. Its figures, and so its line breaks, differ from run to run. @type {(text: string) => string} */
function paragraph(text) {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const longer = `${lines.at(-1)} ${word}`.trimStart();
    if (longer.length <= LINE_WIDTH) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.join('\n');
}
