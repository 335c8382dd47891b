import type { Command } from 'commander';
import { parseConfig } from '../config.js';
import { isCanceled } from '../database/error-causes.js';
import {
  adviseIndexes,
  buildAdvised,
  dropAdvised,
  type IndexAdvice,
  type MissingIndex,
  readBuildProgress,
} from '../database/indexes/advise-indexes.js';
import { type Database, openDatabase } from '../database/open.js';
import { ConfigError } from '../environment.js';
import { OperatorError } from '../errors.js';
import { clearProgress, showProgress } from './progress.js';
import { UsageError } from './report-failure.js';

interface IndexesOptions {
  readonly apply?: true;
  readonly drop?: true;
}

/** Says why the indexes were not built or dropped. */
class IndexesError extends OperatorError {}

const OWN_DATABASE =
  'DATABASE_SCHEMA is own, and serve builds the indexes of such a database itself. For an Unleash database, set DATABASE_SCHEMA to unleash.';

const BUSY = 'Another process is building or dropping these indexes. Wait until it has finished.';

export function registerIndexes(program: Command): void {
  program
    .command('indexes')
    .description("print the SQL for those of the gateway's indexes that an Unleash database lacks")
    .option('--apply', 'build them one after the other, while Unleash reads and writes; needs the owner of the table')
    .option('--drop', 'drop the indexes that --apply built, and pg_trgm if --apply created it; needs the owner of the table')
    .addHelpText('after', '\nName the owner of the table in DATABASE_URL for this command only; docs/unleash.md shows how.')
    .action(async ({ apply, drop }: IndexesOptions) => {
      if (apply && drop) throw new UsageError('Give --apply or --drop, not both.');
      const { database: location, databaseSchema } = parseConfig(process.env);
      if ((apply || drop) && databaseSchema === 'own') throw new UsageError(OWN_DATABASE);
      if (!('url' in location)) throw new ConfigError('DATABASE_URL must name the Unleash database.');
      const database = await openDatabase(location);
      try {
        if (apply) await build(database);
        else if (drop) await remove(database);
        else process.stdout.write(render(await adviseIndexes(database.read)));
      } finally {
        await database.close();
      }
    });
}

async function build(database: Database): Promise<void> {
  let current = '';
  let built = 0;
  const stop = new AbortController();
  const cancel = () => stop.abort();
  process.once('SIGINT', cancel).once('SIGTERM', cancel);
  // The progress is read on another connection than that of the build. If a read fails, the progress is not shown.
  const watch = setInterval(() => {
    void readBuildProgress(database.read).then(
      (done) => current && showProgress(`${current} ${done === null ? '' : `${Math.round(done * 100)} %`}`),
      () => undefined,
    );
  }, PROGRESS_EVERY_MS);
  try {
    const onIndex = ({ name, estimatedBytes }: MissingIndex, isBuilt: boolean) => {
      current = name;
      if (!isBuilt) return;
      clearProgress();
      built += 1;
      process.stdout.write(`${name} (about ${toSize(estimatedBytes)})\n`);
    };
    const isDone = await buildAdvised(database, { signal: stop.signal, onIndex });
    if (!isDone) throw new IndexesError(BUSY);
  } catch (error) {
    throw stop.signal.aborted || isCanceled(error) ? new IndexesError('Stopped. Run the command again to continue.') : error;
  } finally {
    process.removeListener('SIGINT', cancel).removeListener('SIGTERM', cancel);
    clearInterval(watch);
    clearProgress();
  }
  const { present } = await adviseIndexes(database.read);
  process.stdout.write(`${built} indexes built, ${present - built} already existed\n`);
}

const PROGRESS_EVERY_MS = 500;

async function remove(database: Database): Promise<void> {
  const dropped = await dropAdvised(database);
  if (dropped === null) throw new IndexesError(BUSY);
  process.stdout.write(dropped.length > 0 ? `Dropped ${dropped.join(', ')}\n` : 'There was nothing to drop.\n');
}

/** Returns SQL for psql that creates the missing indexes. A comment before each index has its purpose and size. */
function render({ first, missing, present }: IndexAdvice): string {
  const bytes = missing.reduce((sum, { estimatedBytes }) => sum + estimatedBytes, 0);
  const summary = `-- ${missing.length} indexes are missing (about ${toSize(bytes)} on disk), ${present} exist.\n`;
  const statements = missing.map(
    ({ serves, estimatedBytes, sql }) => `-- For ${serves}. About ${toSize(estimatedBytes)}.\n${sql};\n`,
  );
  return [summary, ...first.map((statement) => `${statement};\n`), ...statements].join('\n');
}

function toSize(bytes: number): string {
  const megabytes = bytes / 1e6;
  return megabytes >= 1000 ? `${(megabytes / 1000).toFixed(1)} GB` : `${megabytes.toFixed(megabytes < 10 ? 1 : 0)} MB`;
}
