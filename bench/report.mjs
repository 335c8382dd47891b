import os from 'node:os';
import { compareWithAims } from './aims.mjs';
import { STARTS } from './measure-start.mjs';
import { renderTable } from './table.mjs';

/**
 * @typedef {object} Findings
 * @property {import('./options.mjs').Options} options
 * @property {string} postgresVersion
 * @property {number} loadBefore how many processes of others wanted a core in the minute before
 * @property {string} pinning who ran on which core, as a sentence
 * @property {{bytes: number, total: number}} answer its size, and how many events the flag has
 * @property {import('./measure-load.mjs').LoadFigures[]} load the first is what the others are compared to
 * @property {import('./measure-start.mjs').StartFigures[]} starts
 * @property {import('./measure-import.mjs').ImportFigures} imported
 * @property {import('./measure-stream.mjs').StreamFigures} stream
 * @property {import('./measure-unchanged.mjs').UnchangedFigures | null} unchanged
 * @property {import('./measure-queries.mjs').QueryFigures[]} queries
 * @property {import('./measure-documents.mjs').DocumentFigures} documents
 */

/** @param {Findings} findings */
export function renderReport(findings) {
  const { options, postgresVersion, loadBefore, pinning, answer, load, starts, imported, stream, unchanged, queries, documents } =
    findings;
  const aims = compareWithAims(findings);
  const { events, seconds, rounds, connections, large } = options;
  return `# Performance

${paragraph(`Written by \`npm run bench\`; [bench/README.md](../bench/README.md) tells how. These are figures of one machine at one time, and other
work on it moves them: compare figures of one run with each other, not with those of another machine.`)}

${renderTable(
  ['', ''],
  [
    ['Date', new Date().toISOString().slice(0, 10)],
    [
      'Command',
      `\`npm run bench -- --events ${events} --seconds ${seconds} --rounds ${rounds} --connections ${connections}${large ? ' --large' : ''}\``,
    ],
    ['Processor', `${os.cpus()[0]?.model.trim()}, ${os.availableParallelism()} cores`],
    ['Load average before', `${loadBefore.toFixed(1)}, where 0 is a machine at rest`],
    ['Memory', `${(os.totalmem() / 2 ** 30).toFixed(0)} GiB`],
    ['Node.js', process.version.slice(1)],
    ['PostgreSQL', `${postgresVersion}, default settings`],
  ],
)}

## What was aimed at

${renderTable(
  ['', 'Aim', 'Seen', 'Reached'],
  aims.map(({ what, aim, seen, isReached }) => [what, aim, seen, isReached === null ? UNKNOWN : isReached ? 'yes' : 'no']),
)}

${missed(aims)}

## A page of events

${paragraph(`The newest 50 of the ${count(answer.total)} events of one flag, with their total, from a log of ${count(events)} events: a body of
${(answer.bytes / 1000).toFixed(0)} kB as REST has it. All answers were checked to carry the same events before anything was timed, and no request
failed. ${connections} requests are under way at once; the servers take turns of ${seconds} s in ${rounds} rounds, and each figure is the median
over the rounds. ${pinning}`)}

${renderTable(
  LOAD_HEAD,
  load.map((figures) => loadRow(figures, load[0])),
)}

${paragraph(`The second server lets PostgreSQL write the JSON (\`json_agg\`) and passes the text on. The first server does the least that gives this answer: two queries by \`pg\` and \`JSON.stringify\` behind \`node:http\`. The gateway does
its whole work: it checks the API token, and REST goes through GraphQL too. The last one is stock parts for orientation: Apollo's standalone
server with Prisma's \`findMany\` and \`count\`, given the same GraphQL request. Only the gateway asks for a token.`)}

${paragraph(`What bounds the requests per second is the server's own CPU time where its core is busy nearly all the time; where it is not, the
server waits: for PostgreSQL, for the load generator, or for a core that other work on the machine has taken.`)}

## What could grow with the log

${paragraph(`Asked of the gateway by one client, one after the other, over a log of ${count(events)} events where nothing else is said. The first row is
what such a question takes without a gateway on this machine.`)}

${renderTable(
  ['Question', 'Requests', 'p50 ms', 'p95 ms', 'Aim: p95 ms'],
  queries.map(({ name, target, requests, p50Ms, p95Ms }) => [
    name,
    count(requests),
    p50Ms.toFixed(1),
    p95Ms.toFixed(1),
    target || UNKNOWN,
  ]),
)}

## All events of one flag over REST

${paragraph(`${count(stream.events)} events, ${megabytes(stream.bytes)}, in ${(stream.ms / 1000).toFixed(1)} s. The gateway's memory was at most
${megabytes(stream.aboveIdleBytes)} above what it held before (aim: 150 MB); the p95 of small pages that another client asked for meanwhile was
${stream.othersP95Ms.toFixed(0)} ms (aim: 100 ms).`)}

## Unchanged answers

${paragraph(`A page of 50 events over REST takes ${unchanged?.fullCpuMs?.toFixed(2) ?? UNKNOWN} ms of the server's CPU, and telling a client that what it has is
still right ${unchanged?.unchangedCpuMs?.toFixed(2) ?? UNKNOWN} ms: ${ratio(unchanged?.unchangedCpuMs ?? null, unchanged?.fullCpuMs)} of it (aim: 0.4).`)}

## Memory over many documents

${paragraph(`A gateway that has answered ${count(documents.early)} requests of ${count(documents.documents)} different documents holds
${megabytes(documents.earlyBytes)} in the median of the last quarter of that time, and ${megabytes(documents.lateBytes)} after ${count(documents.late)}: ${ratio(documents.lateBytes, documents.earlyBytes)} of it (aim: 1.10).`)}

## Start and memory

${paragraph(`From spawning the gateway to its ready line, and the memory it has resident two seconds later, before any request. It is not pinned to a
core here; each figure is the median of ${STARTS} starts.`)}

${renderTable(
  ['Database', 'Ready after', 'Idle memory'],
  starts.map(({ name, startMs, idleBytes }) => [name, `${(startMs / 1000).toFixed(2)} s`, megabytes(idleBytes)]),
)}

## Import

${paragraph(`The ${count(imported.events)} events of the same log, exported in wire form (${megabytes(imported.fileBytes)}), by
\`flag-admin-gateway import\` into an empty PostgreSQL database. The time of the events begins with the process and ends when they are committed; then the indexes are built, while the log is
served.`)}

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
`;
}

/** What bounds that which was not reached. @type {(aims: import('./aims.mjs').Outcome[]) => string} */
function missed(aims) {
  /** @type {Map<string, string[]>} */
  const bounds = new Map();
  for (const { what, isReached, bound } of aims) {
    if (isReached === false) bounds.set(bound, [...(bounds.get(bound) ?? []), what]);
  }
  return [...bounds].map(([bound, whats]) => paragraph(`Not reached: ${whats.join('; ')}. ${bound}`)).join('\n\n');
}

const LOAD_HEAD = [
  'Server',
  'Requests/s',
  'Ratio',
  'p50 ms',
  'p95 ms',
  'Server CPU ms/request',
  'Ratio',
  'PostgreSQL CPU ms/request',
  'Server busy, of one core',
];

/** @type {(figures: import('./measure-load.mjs').LoadFigures, base: import('./measure-load.mjs').LoadFigures | undefined) => string[]} */
function loadRow({ name, requestsPerSecond, p50Ms, p95Ms, serverCpuMs, databaseCpuMs }, base) {
  return [
    name,
    count(requestsPerSecond),
    ratio(requestsPerSecond, base?.requestsPerSecond),
    p50Ms.toFixed(1),
    p95Ms.toFixed(1),
    serverCpuMs?.toFixed(2) ?? UNKNOWN,
    ratio(serverCpuMs, base?.serverCpuMs),
    databaseCpuMs?.toFixed(2) ?? UNKNOWN,
    serverCpuMs === null ? UNKNOWN : `${((serverCpuMs * requestsPerSecond) / 10).toFixed(0)} %`,
  ];
}

/** Where the system does not tell. */
const UNKNOWN = '–';

/** @type {(value: number) => string} */
const count = (value) => Math.round(value).toLocaleString('en');

/** @type {(bytes: number | null) => string} */
const megabytes = (bytes) => (bytes === null ? UNKNOWN : `${(bytes / 1e6).toFixed(0)} MB`);

/** @type {(value: number | null, base: number | null | undefined) => string} */
const ratio = (value, base) => (value === null || !base ? UNKNOWN : (value / base).toFixed(2));

const LINE_WIDTH = 130;

/** Breaks lines anew: how long they are depends on the figures in them. @type {(text: string) => string} */
function paragraph(text) {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const longer = `${lines.at(-1)} ${word}`.trimStart();
    if (longer.length <= LINE_WIDTH) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.join('\n');
}
