import { type Command, InvalidArgumentError, Option } from 'commander';
import { mirror } from '../mirror/mirror.js';
import { createMirrorStore } from '../mirror/mirror.store.js';
import { createServerLog } from '../mirror/server-log.js';
import { clearProgress, showProgress } from './progress.js';
import { withDatabase } from './with-database.js';

interface MirrorCommandOptions {
  readonly from: string;
  readonly token: string;
  readonly follow?: true;
}

export function registerMirror(program: Command): void {
  program
    .command('mirror')
    .description(
      "copy a server's event log into the gateway's database over its REST API; stopped at any moment, it goes on where it was",
    )
    .requiredOption('--from <url>', 'the server, such as https://unleash.example.com', parseUrl)
    .addOption(
      new Option('--token <token>', "an administrator's API token of that server").env('MIRROR_TOKEN').makeOptionMandatory(),
    )
    .option('--follow', 'go on with what is added from now on, until the process is stopped')
    .addHelpText('after', '\nA token in MIRROR_TOKEN is not seen in the list of processes.')
    .action((options: MirrorCommandOptions) => run(options).finally(clearProgress));
}

async function run({ from, token, follow }: MirrorCommandOptions): Promise<void> {
  const stop = new AbortController();
  const end = () => stop.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  const log = createServerLog({ url: from, token, signal: stop.signal, onRetry: tellRetry });
  try {
    await withDatabase(async (database) => {
      let wasComplete = false;
      await mirror(log, createMirrorStore(database), {
        source: from,
        signal: stop.signal,
        follow: follow ?? false,
        onProgress: ({ added, day }) => {
          showProgress(`${added.toLocaleString('en')} events${day === null ? '' : `, ${day}`}`);
          if (day !== null || wasComplete) return;
          wasComplete = true;
          clearProgress();
          process.stdout.write(`${added} events added, the copy is complete${follow ? '; following' : ''}\n`);
        },
      });
    });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
}

function tellRetry(reason: string, inMs: number): void {
  clearProgress();
  process.stderr.write(`The server cannot be read: ${reason}. Trying again in ${(inMs / 1000).toFixed(1)} s.\n`);
}

function parseUrl(url: string): string {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new InvalidArgumentError('It must be an http or https URL.');
  return url.replace(/\/+$/, '');
}
