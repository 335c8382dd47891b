import type { Command } from 'commander';
import { OperatorError } from '../errors.js';
import { createCursorFile } from '../feed-client/cursor-file.js';
import { followFeed } from '../feed-client/follow-feed.js';
import { parseFilterOptions } from './filter-options.js';
import { parseUrl, readTokenFile } from './gateway-options.js';
import { STANDARD_OUTPUT } from './standard-output.js';

const HELP = `
Each event is a line of JSON on standard output. The file of --state has the cursor after the last written line, so a later run continues
there. After a crash, some lines can be written again: each has the id of its event.

--filter has the form of a filter parameter of GET /v1/events/feed, and can be given several times:
  --filter project=IS:default --filter type=IS_ANY_OF:feature-created,feature-archived`;

interface FeedOptions {
  readonly from: string;
  readonly tokenFile: string;
  readonly state: string;
  readonly after: string;
  readonly once?: true;
  readonly filter: readonly string[];
}

export function registerFeed(program: Command): void {
  program
    .command('feed')
    .description('write the events of a running gateway to standard output as they are added')
    .requiredOption('--from <url>', 'the gateway, such as https://gateway.example.com', parseUrl)
    .requiredOption('--token-file <file>', 'a file with an API token of that gateway')
    .requiredOption('--state <file>', 'the file that keeps the cursor')
    .option('--after <start>', 'where to begin without a cursor: start, now, or an RFC 3339 date-time', 'start')
    .option('--once', 'exit after the events that the log has at the start')
    .option('--filter <name=value>', 'write only events that match', (value, values: string[]) => [...values, value], [])
    .addHelpText('after', HELP)
    .action(run);
}

async function run({ from, tokenFile, state, after, once = undefined, filter }: FeedOptions): Promise<void> {
  const token = readTokenFile(tokenFile);
  const cursors = createCursorFile(state);
  const stop = new AbortController();
  // A write to a pipe may wait forever for its reader. A second signal ends the process even then.
  const end = () => (stop.signal.aborted ? process.exit(1) : stop.abort());
  process.on('SIGINT', end).on('SIGTERM', end);
  try {
    await followFeed({
      url: from,
      token,
      filter: parseFilterOptions(filter),
      once: once === true,
      signal: stop.signal,
      after: (await cursors.read()) ?? after,
      async onLines({ events, cursor }) {
        // The cursor is written after the lines. If either write fails, a later run writes the lines again.
        if (events.length > 0) await STANDARD_OUTPUT.write(`${events.join('\n')}\n`);
        await cursors.write(cursor);
      },
      onRetry: (reason, inMs) =>
        process.stderr.write(
          `${from} cannot be followed: ${reason.replace(/\.$/, '')}. Trying again in ${(inMs / 1000).toFixed(1)} s.\n`,
        ),
    });
  } catch (error) {
    if (!stop.signal.aborted || error instanceof OperatorError) throw error;
  } finally {
    process.removeListener('SIGINT', end).removeListener('SIGTERM', end);
  }
}
