import type { Command } from 'commander';
import { clearProgress } from './progress.js';
import type { ExportOptions } from './run-export.js';

const HELP = `
--filter has the form of a filter parameter of GET /v1/events/export, and can be given several times:
  --filter project=IS:default --filter from=IS:2026-01-01

The command import reads a file in the format ndjson. DATABASE_URL or DATA_DIR names the database, which can be that of Unleash.`;

const collect = (value: string, values: readonly string[]) => [...values, value];

export function registerExport(program: Command): void {
  program
    .command('export')
    .description('write the events of the log to a file or to standard output, lowest id first')
    .option('--format <format>', 'ndjson, an event per line, or csv (default: ndjson)')
    .option('--output <file>', 'a new file; with --after and --up-to, the file to continue')
    .option('--after <id>', 'the id of the last event of an earlier export')
    .option('--up-to <id>', 'the end of the interrupted export, as it printed at its start')
    .option(
      '--formulas <keep>',
      'keep texts of csv that a spreadsheet would run as formulas, instead of writing an apostrophe before them',
    )
    .option('--filter <name=value>', 'export only events that match', collect, [])
    .addHelpText('after', HELP)
    .action(async (options: ExportOptions) => {
      // Loads the GraphQL schema only when an export runs, because most commands do not need it.
      const { runExport } = await import('./run-export.js');
      await runExport(options).finally(clearProgress);
    });
}
