import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { repositoryFile, run } from './child.mjs';
import { atEnd } from './cleanup.mjs';
import { fillEventLog } from './event-log.mjs';
import { GATEWAY_ENV } from './gateway.mjs';
import { holdLock } from './postgres.mjs';

/** The lock of the process that builds the indexes of a log (src/database/indexes/build-indexes.ts). */
const INDEX_LOCK = 42_427_303;

/** @param {string} progress */
export const tell = (progress) => process.stderr.write(`${progress}\n`);

/** Prevents gateways from building free-text indexes during a measurement, which does not need them. @type {(log: {url: string}) => Promise<void>} */
export const keepIndexes = ({ url }) => holdLock(url, INDEX_LOCK);

/** @type {(postgres: import('./postgres.mjs').Postgres, name: string) => Promise<string>} */
export async function createMigrated(postgres, name) {
  const url = await postgres.createDatabase(name);
  await run([process.execPath, repositoryFile('dist/main.js'), 'migrate'], { ...GATEWAY_ENV, DATABASE_URL: url });
  return url;
}

/** Creates a log without indexes for free text. @type {(postgres: import('./postgres.mjs').Postgres, name: string, events: number) => Promise<string>} */
export async function createFilled(postgres, name, events) {
  const url = await createMigrated(postgres, name);
  tell(`generating ${events} events`);
  await fillEventLog(url, events);
  await keepIndexes({ url });
  return url;
}

/** Creates a folder that is removed at the end. */
export function makeFolder() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'flag-admin-gateway-bench-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
