import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repositoryFile, startServer } from './child.mjs';
import { nodeOptions } from './gateway.mjs';
import { memoryBytes } from './proc.mjs';
import { median, medianIfKnown } from './statistics.mjs';

/** @typedef {{name: string, startMs: number, idleBytes: number | null}} StartFigures medians over the starts */

export const STARTS = 3;
/** Time for Node to collect the garbage of the start. */
const SETTLE_MS = 2000;

/**
 * Measures the time from spawning the gateway to its ready line, and its memory before any request.
 * @param {{databaseUrl: string, folder: string, env: Record<string, string>}} of databaseUrl: of a migrated database
 * @param {(progress: string) => void} tell
 * @returns {Promise<StartFigures[]>}
 */
export async function measureStarts({ databaseUrl, folder, env }, tell) {
  const kinds = {
    postgres: { name: 'PostgreSQL, migrated', samples: /** @type {Sample[]} */ ([]) },
    first: { name: 'embedded, first start (empty folder)', samples: /** @type {Sample[]} */ ([]) },
    second: { name: 'embedded, later start', samples: /** @type {Sample[]} */ ([]) },
  };
  for (let start = 1; start <= STARTS; start += 1) {
    tell(`start ${start} of ${STARTS}, on both databases`);
    const DATA_DIR = await mkdtemp(path.join(folder, 'data-'));
    kinds.postgres.samples.push(await measureStart({ ...env, DATABASE_URL: databaseUrl }));
    kinds.first.samples.push(await measureStart({ ...env, DATA_DIR }));
    kinds.second.samples.push(await measureStart({ ...env, DATA_DIR }));
  }
  return Object.values(kinds).map(({ name, samples }) => ({
    name,
    startMs: median(samples.map(({ startMs }) => startMs)),
    idleBytes: medianIfKnown(samples.map(({ idleBytes }) => idleBytes)),
  }));
}

/** @typedef {{startMs: number, idleBytes: number | null}} Sample */

/** @type {(env: Record<string, string>) => Promise<Sample>} */
async function measureStart(env) {
  const gateway = await startServer([process.execPath, ...nodeOptions(), repositoryFile('dist/main.js'), 'serve'], env);
  await sleep(SETTLE_MS);
  const idleBytes = memoryBytes(gateway.pid);
  await gateway.stop();
  return { startMs: gateway.startMs, idleBytes };
}
