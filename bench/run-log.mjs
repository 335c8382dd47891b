import { compareChanges, compareCounts, compareExports } from './log-targets.mjs';
import { measureChanges } from './measure-changes.mjs';
import { measureCounts } from './measure-counts.mjs';
import { measureExports } from './measure-exports.mjs';
import { renderOutcomes } from './outcome.mjs';
import { withClient } from './postgres.mjs';
import { createFilled, createMigrated, makeFolder, tell } from './prepare.mjs';
import { renderChanges, renderCounts, renderExports } from './report-log.mjs';

/** @typedef {{options: import('./options.mjs').Options, postgres: import('./postgres.mjs').Postgres, cores: import('./cores.mjs').Cores}} Setting */

/** @param {Setting} setting */
export async function benchExports({ options: { events, seed }, postgres, cores }) {
  const databaseUrl = await createFilled(postgres, 'bench_exports', events);
  const exports = await measureAllExports(postgres, { databaseUrl, folder: makeFolder(), seed, pinned: cores.server });
  printOnly(compareExports(exports), renderExports(exports));
}

/** @param {Setting} setting */
export async function benchCounts({ options: { events }, postgres, cores }) {
  const databaseUrl = await createFilled(postgres, 'bench_counts', events);
  const counts = await measureCounts({ databaseUrl, pinned: cores.server }, tell);
  printOnly(compareCounts(counts), renderCounts(counts));
}

/** @param {Setting} setting */
export async function benchChanges({ postgres, cores }) {
  const changes = await measureChanges(
    { databaseUrl: await createMigrated(postgres, 'bench_changes'), pinned: cores.server },
    tell,
  );
  printOnly(compareChanges(changes), renderChanges(changes));
}

/** @type {(outcomes: import('./outcome.mjs').Outcome[], figures: string) => void} */
const printOnly = (outcomes, figures) => void process.stdout.write(`\n${renderOutcomes(outcomes)}\n\n${figures}\n`);

/** Exports a log and imports it into a database that is dropped afterwards. */
async function measureAllExports(
  /** @type {import('./postgres.mjs').Postgres} */ postgres,
  /** @type {Omit<Parameters<typeof measureExports>[0], 'databasePid' | 'emptyUrl'>} */ how,
) {
  const name = 'bench_exported';
  const exports = await measureExports(
    { ...how, databasePid: postgres.pid, emptyUrl: await createMigrated(postgres, name) },
    tell,
  );
  await withClient(postgres.urlOf('postgres'), (client) => client.query(`DROP DATABASE ${name}`));
  return exports;
}

/**
 * Measures exports and counts of a log, and changes of events in a database of their own.
 * @param {string} databaseUrl
 * @param {string} folder
 * @param {Setting} setting
 */
export async function measureAllOfLog(databaseUrl, folder, { options: { seed }, postgres, cores }) {
  const pinned = cores.server;
  return {
    exports: await measureAllExports(postgres, { databaseUrl, folder, seed, pinned }),
    counts: await measureCounts({ databaseUrl, pinned }, tell),
    changes: await measureChanges({ databaseUrl: await createMigrated(postgres, 'bench_changes'), pinned }, tell),
  };
}
