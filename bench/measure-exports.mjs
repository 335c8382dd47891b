import path from 'node:path';
import { repositoryFile, run } from './child.mjs';
import { exportByCommand, exportWithStops } from './export-by-command.mjs';
import { hashOfFile, randomPlaces } from './export-file.mjs';
import { exportOverHttp, exportWithBreaks } from './export-over-http.mjs';
import { GATEWAY_ENV, startGateway, TOKEN } from './gateway.mjs';
import { withClient } from './postgres.mjs';
import { cpuMs, familyCpuMs } from './proc.mjs';
import { sampleMemory } from './sample-memory.mjs';

/** @typedef {{way: 'HTTP' | 'command', format: string, events: number, bytes: number, ms: number, aboveRestBytes: number | null, againBytes: number | null, gatewayCpuMs: number | null,
databaseCpuMs: number | null, breaks: number}} ExportFigures CPU times, againBytes: null for the command; againBytes: by how much the memory rose further during the interrupted export; breaks: how often another export with the same bytes was interrupted */

const FORMATS = ['ndjson', 'csv'];
const BREAKS = 10;
const WARM_UP_REQUESTS = 50;

/**
 * Compares two logs by all columns, in the order of the ids. A row as a text distinguishes null from an empty text, and contains the texts of
 * the columns with JSON as they are stored.
 */
const HASH_OF_LOG = "SELECT count(*)::int AS events, md5(string_agg(md5(events::text), '' ORDER BY id)) AS hash FROM events";

/**
 * Exports a log in both formats, over HTTP and by the command. Interrupts further exports at random places and continues them. Then
 * imports the exported file into an empty database.
 * @param {{databaseUrl: string, databasePid: number, emptyUrl: string, folder: string, seed: number, pinned: string[]}} how emptyUrl: of a migrated database
 * @param {(progress: string) => void} tell
 * @returns {Promise<ExportFigures[]>}
 * @throws Error if a byte, a number of events or a row of the log is wrong
 */
export async function measureExports({ databaseUrl, databasePid, emptyUrl, folder, seed, pinned }, tell) {
  const log = await readHash(databaseUrl);
  const figures = [];
  for (const format of FORMATS) {
    const file = path.join(folder, `exported.${format}`);
    const of = { format, events: log.events, seed, databaseUrl };
    const { hash, ...overHttp } = await measureHttp({ ...of, databasePid, pinned }, tell);
    figures.push(overHttp, await measureCommand({ ...of, file, hash, bytes: overHttp.bytes }, tell));
  }
  tell('importing the export into an empty database');
  const command = [process.execPath, repositoryFile('dist/main.js'), 'import', path.join(folder, 'exported.ndjson')];
  await run(command, { ...GATEWAY_ENV, DATABASE_URL: emptyUrl });
  expectSame('The imported log', await readHash(emptyUrl), log);
  return figures;
}

/**
 * @param {{databaseUrl: string, databasePid: number, format: string, events: number, seed: number, pinned: string[]}} of
 * @param {(progress: string) => void} tell
 * @returns {Promise<ExportFigures & {hash: string}>}
 */
async function measureHttp({ databaseUrl, databasePid, format, events, seed, pinned }, tell) {
  tell(`${format} over HTTP`);
  const gateway = await startGateway(databaseUrl, pinned);
  for (let request = 0; request < WARM_UP_REQUESTS; request += 1) {
    await (await fetch(`${gateway.url}/api/admin/search/events?limit=50`, { headers: { authorization: TOKEN } })).text();
  }
  const source = { gatewayUrl: gateway.url, token: TOKEN, format };
  const cpuBefore = { gateway: cpuMs(gateway.pid), database: familyCpuMs(databasePid) };
  const { result: whole, aboveRestBytes } = await sampleMemory(gateway.pid, () => exportOverHttp(source));
  const cpu = {
    gatewayCpuMs: difference(cpuMs(gateway.pid), cpuBefore.gateway),
    databaseCpuMs: difference(familyCpuMs(databasePid), cpuBefore.database),
  };
  const { file, announced, ms } = whole;
  expectSame(`x-export-count of ${format}`, announced.count, events);
  expectSame(`The lines of ${format}`, file.lines, format === 'csv' ? events + 1 : events);
  const hash = file.digest();
  const places = randomPlaces(`${seed} ${format} HTTP`, BREAKS, file.bytes);
  tell(`${format} over ${places.length + 1} connections, seed ${seed}`);
  const { result: continued, aboveRestBytes: againBytes } = await sampleMemory(gateway.pid, () =>
    exportWithBreaks(source, places, events),
  );
  expectSame(`The hash of ${format} over ${places.length + 1} connections`, continued.digest(), hash);
  await gateway.stop();
  return { way: 'HTTP', format, events, bytes: file.bytes, ms, aboveRestBytes, againBytes, ...cpu, breaks: places.length, hash };
}

/**
 * @param {{databaseUrl: string, format: string, events: number, seed: number, file: string, hash: string, bytes: number}} of
 * @param {(progress: string) => void} tell
 * @returns {Promise<ExportFigures>}
 */
async function measureCommand({ databaseUrl, format, events, seed, file, hash, bytes }, tell) {
  const source = { databaseUrl, env: GATEWAY_ENV, format };
  tell(`${format} by the command`);
  const { ms, aboveRestBytes } = await exportByCommand(source, file);
  expectSame(`The hash of ${format} by the command`, await hashOfFile(file), hash);
  const places = randomPlaces(`${seed} ${format} command`, BREAKS, bytes);
  tell(`${format} by a command that is stopped again and again, seed ${seed}`);
  const breaks = await exportWithStops(source, file, places, events);
  expectSame(`The hash of ${format} after ${breaks} stops of the command`, await hashOfFile(file), hash);
  return {
    way: 'command',
    format,
    events,
    bytes,
    ms,
    aboveRestBytes,
    againBytes: null,
    gatewayCpuMs: null,
    databaseCpuMs: null,
    breaks,
  };
}

/** @type {(after: number | null, before: number | null) => number | null} */
const difference = (after, before) => (after === null || before === null ? null : after - before);

/** @type {(url: string) => Promise<{events: number, hash: string}>} */
const readHash = (url) => withClient(url, async (client) => (await client.query(HASH_OF_LOG)).rows[0]);

/** @type {(what: string, found: unknown, expected: unknown) => void} */
function expectSame(what, found, expected) {
  const [seen, wanted] = [JSON.stringify(found), JSON.stringify(expected)];
  if (seen !== wanted) throw new Error(`${what} is ${seen} instead of ${wanted}.`);
}
