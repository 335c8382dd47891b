import type { Command } from 'commander';
import { isToken } from '../auth/secret.js';
import { OperatorError } from '../errors.js';
import { type MirrorProgress, mirror } from '../log-copy/mirror.js';
import { createMirrorStore } from '../log-copy/mirror.store.js';
import { createUnleashLog } from '../log-copy/unleash-log.js';
import { readSecretFiles } from '../secret-files.js';
import { parseUrl } from './gateway-options.js';
import { clearProgress, createProgressLog, showProgress } from './progress.js';
import { UsageError } from './report-failure.js';
import { withDatabase } from './with-database.js';

interface MirrorCommandOptions {
  readonly from: string;
  readonly token?: string;
  readonly follow?: true;
  readonly movedFrom?: string;
}

/** Says that the copy is not complete. */
class MirrorStopped extends OperatorError {}

export function registerMirror(program: Command): void {
  program
    .command('mirror')
    .description(
      "copy the event log of an Unleash server into the gateway's database over REST; continues where an earlier run stopped",
    )
    .requiredOption('--from <url>', 'the Unleash server, such as https://unleash.example.com', parseUrl)
    .option('--token <token>', "an administrator's API token of that server; prefer the environment variable MIRROR_TOKEN")
    .option('--moved-from <url>', 'the former URL of the server, if it has changed', parseUrl)
    .option('--follow', 'keep copying new events until the process is stopped')
    .addHelpText('after', '\nThe list of processes shows --token, but not MIRROR_TOKEN.')
    .action((options: MirrorCommandOptions) => run(options).finally(clearProgress));
}

async function run({ from, token: given, follow, movedFrom }: MirrorCommandOptions): Promise<void> {
  const token = requireToken(given || readSecretFiles(process.env, ['MIRROR_TOKEN'])['MIRROR_TOKEN']);
  const stop = new AbortController();
  const end = () => stop.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  const { signal } = stop;
  let wasComplete = false;
  try {
    await withDatabase(async (database) => {
      const store = createMirrorStore(database);
      // With --follow, requests to an unavailable server are retried without a limit.
      const patience = follow ? { maxRetries: Number.POSITIVE_INFINITY } : {};
      const onRetry = (reason: string, inMs: number) => reportRetry(from, reason, inMs);
      const log = createUnleashLog({ url: from, token, signal, onRetry, ...patience });
      await log.requireAdministrator();
      await store.claim(from, movedFrom ?? null);
      const logProgress = createProgressLog();
      const onProgress = (progress: MirrorProgress) => {
        if (!progress.isComplete) return logProgress(describeProgress(progress));
        showProgress(`${progress.copied.toLocaleString('en')} events, following`);
        if (wasComplete) return;
        wasComplete = true;
        clearProgress();
        process.stdout.write(`${progress.added} events added, the copy is complete${follow ? '; following' : ''}\n`);
      };
      await mirror(log, store, { signal, follow: follow ?? false, onProgress });
    });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (signal.aborted && !follow && !wasComplete)
    throw new MirrorStopped('Stopped before the copy was complete. Run the command again to continue.');
}

/** Describes the progress. Leaves out the day if the range that is being copied has no first day (log-copy/catch-up.ts). */
function describeProgress({ copied, total, day }: MirrorProgress): string {
  const days = day ? `, reading ${day}` : '';
  return `${copied.toLocaleString('en')} of ${Math.max(copied, total).toLocaleString('en')} events copied${days}`;
}

function reportRetry(url: string, reason: string, inMs: number): void {
  clearProgress();
  process.stderr.write(`${url} cannot be read: ${reason}. Trying again in ${(inMs / 1000).toFixed(1)} s.\n`);
}

/** Validates the token. Commander does not validate it, because its error message would contain the token. */
function requireToken(token: string | undefined): string {
  if (!token) {
    throw new UsageError('Set MIRROR_TOKEN to an API token of the Unleash server. The token must belong to an administrator.');
  }
  if (!isToken(token)) throw new UsageError('The API token in MIRROR_TOKEN or --token must be visible ASCII.');
  return token;
}
