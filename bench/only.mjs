import { fillEventLog } from './event-log.mjs';
import { startGateway } from './gateway.mjs';
import { compareChanges, compareCounts, compareExports } from './log-targets.mjs';
import { measureChanges } from './measure-changes.mjs';
import { measureConsole } from './measure-console.mjs';
import { measureCounts } from './measure-counts.mjs';
import { loadStatistics, measurePlans } from './measure-plans.mjs';
import { measureStreams } from './measure-streams.mjs';
import { renderOutcomes } from './outcome.mjs';
import { renderConsole } from './report-console.mjs';
import { renderChanges, renderCounts, renderExports } from './report-log.mjs';
import { renderPages, renderPlans } from './report-pages.mjs';
import { createFilled, createMigrated, keepIndexes, makeFolder, measureAllExports, measureAllPages, tell } from './stage.mjs';
import { compareStreams } from './stream-targets.mjs';

/** @typedef {import('./stage.mjs').Setting} Setting */

/** The measurements of --only, which print their figures and write no report. @type {Record<import('./options.mjs').Only, (setting: Setting) => Promise<void>>} */
export const MEASUREMENTS = {
  pages: benchPages,
  plans: benchPlans,
  exports: benchExports,
  counts: benchCounts,
  changes: benchChanges,
  console: benchConsole,
  streams: benchStreams,
};

/** @param {Setting} setting */
async function benchPages({ options, postgres, cores, postgraphile, how }) {
  const databaseUrl = await createMigrated(postgres, 'bench_pages');
  tell(`generating ${options.events} events`);
  await fillEventLog(databaseUrl, options.events);
  const pages = await measureAllPages(databaseUrl, { options, cores, postgraphile, how });
  process.stdout.write(`\n${renderPages(pages.figures, '#')}\n`);
}

/** @param {Setting} setting */
async function benchPlans({ options: { events }, postgres }) {
  const url = await createMigrated(postgres, 'bench_plans');
  tell(`generating ${events} events`);
  const flag = await fillEventLog(url, events);
  const plans = await measurePlans([{ url, events, flag }], { postgres, prepare: keepIndexes }, tell);
  process.stdout.write(`\n${renderPlans(plans)}\n`);
}

/** @param {Setting} setting */
async function benchExports({ options: { events, seed }, postgres, cores, how }) {
  const databaseUrl = await createFilled(postgres, 'bench_exports', events);
  const exports = await measureAllExports(postgres, {
    databaseUrl,
    databasePid: how.databasePid,
    folder: makeFolder(),
    seed,
    pinned: cores.server,
  });
  printOnly(compareExports(exports), renderExports(exports));
}

/** @param {Setting} setting */
async function benchCounts({ options: { events }, postgres, cores }) {
  const databaseUrl = await createFilled(postgres, 'bench_counts', events);
  const counts = await measureCounts({ databaseUrl, pinned: cores.server }, tell);
  printOnly(compareCounts(counts), renderCounts(counts));
}

/** @param {Setting} setting */
async function benchChanges({ postgres, cores }) {
  const changes = await measureChanges(
    { databaseUrl: await createMigrated(postgres, 'bench_changes'), pinned: cores.server },
    tell,
  );
  printOnly(compareChanges(changes), renderChanges(changes));
}

/** @type {(outcomes: import('./outcome.mjs').Outcome[], figures: string) => void} */
const printOnly = (outcomes, figures) => void process.stdout.write(`\n${renderOutcomes(outcomes)}\n\n${figures}\n`);

/** The number of events that a person scrolls through at most. */
const SCROLLED = 100_000;

/** @param {Setting} setting */
async function benchConsole({ options: { events }, postgres, cores }) {
  const databaseUrl = await createFilled(postgres, 'bench_console', events);
  const gateway = await startGateway(databaseUrl, cores.server);
  const figures = await measureConsole(gateway.url, { databaseUrl, events: Math.min(events, SCROLLED) }, tell);
  await gateway.stop();
  process.stdout.write(`\n${renderConsole(figures, events)}\n`);
}

/** @param {Setting} setting */
async function benchStreams({ options, postgres, cores, how }) {
  const statistics = await loadStatistics(postgres);
  const databaseUrl = await createFilled(postgres, 'bench_streams', options.events);
  const streams = await measureStreams({ ...how, databaseUrl, statistics, pinned: cores }, tell);
  process.stdout.write(`\n${renderOutcomes(compareStreams(streams))}\n`);
}
