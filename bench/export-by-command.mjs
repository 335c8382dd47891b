import { rmSync, statSync } from 'node:fs';
import { repositoryFile, run, runUntil } from './child.mjs';

/** @typedef {{databaseUrl: string, env: Record<string, string>, format: string}} Source */

/** The last line of the command, with and without an interruption. */
const DONE = /^(\d+) events exported, up to the id \d+$/m;
const CONTINUE = /run the command again with --after (-?\d+) --up-to (-?\d+)\./;

/** @type {(source: Source, args: string[]) => [string[], Record<string, string>]} */
const toCommand = ({ databaseUrl, env, format }, args) => [
  [process.execPath, repositoryFile('dist/main.js'), 'export', '--format', format, ...args],
  { ...env, DATABASE_URL: databaseUrl },
];

/**
 * Exports the whole log into a new file. `aboveRestBytes` is the memory beyond that of a process that exports one event.
 * @param {Source} source
 * @param {string} file
 * @returns {Promise<{ms: number, aboveRestBytes: number | null}>}
 */
export async function exportByCommand(source, file) {
  const rest = await run(...toCommand(source, ['--filter', 'id=IS:1']));
  const { ms, peakBytes } = await run(...toCommand(source, ['--output', file]));
  return { ms, aboveRestBytes: peakBytes === null || rest.peakBytes === null ? null : peakBytes - rest.peakBytes };
}

/**
 * Exports the log by commands that are stopped. Each runs until the file has grown to the next place or beyond, and then says how
 * to continue.
 * @param {Source} source
 * @param {string} file
 * @param {number[]} places ascending
 * @param {number} events number of events in the whole export
 * @returns {Promise<number>} how often the command was stopped
 */
export async function exportWithStops(source, file, places, events) {
  rmSync(file, { force: true });
  /** @type {string[]} */
  let rest = [];
  let stops = 0;
  for (const place of [...places, Number.POSITIVE_INFINITY]) {
    const sizeBefore = sizeOf(file);
    const isDue = () => sizeOf(file) >= Math.max(place, sizeBefore + 1);
    const { stderr } = await runUntil(...toCommand(source, ['--output', file, ...rest]), isDue);
    const [, after, upTo] = CONTINUE.exec(stderr) ?? [];
    if (after !== undefined && upTo !== undefined) {
      rest = ['--after', after, '--up-to', upTo];
      stops += 1;
      continue;
    }
    const exported = Number(DONE.exec(stderr)?.[1]);
    if (!(exported <= events)) throw new Error(`The export of ${events} events said: ${stderr}`);
    return stops;
  }
  throw new Error('The last export was stopped, although nothing stopped it.');
}

/** @type {(file: string) => number} */
const sizeOf = (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
