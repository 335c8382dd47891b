import path from 'node:path';
import { repositoryFile, run } from './child.mjs';
import { exportEventLog } from './event-log.mjs';

/** @typedef {{events: number, fileBytes: number, loadMs: number, ms: number, peakBytes: number | null}} ImportFigures loadMs: until the events are
committed, ms: the whole process; both include its start */

/**
 * Exports one event log and imports it into an empty database.
 * @param {{from: string, into: string, events: number, folder: string, env: Record<string, string>}} how from, into: URLs of migrated databases
 * @param {(progress: string) => void} tell
 * @returns {Promise<ImportFigures>}
 */
export async function measureImport({ from, into, events, folder, env }, tell) {
  const file = path.join(folder, 'events.ndjson');
  tell('exporting the event log');
  const fileBytes = await exportEventLog(from, file);
  tell('importing it into an empty database');
  const { stdout, ms, firstOutputMs, peakBytes } = await run([process.execPath, repositoryFile('dist/main.js'), 'import', file], {
    ...env,
    DATABASE_URL: into,
  });
  const expected = `${events} events read, ${events} added, 0 already there`;
  if (stdout.trim() !== expected) throw new Error(`The import said "${stdout.trim()}" instead of "${expected}".`);
  return { events, fileBytes, loadMs: firstOutputMs, ms, peakBytes };
}
