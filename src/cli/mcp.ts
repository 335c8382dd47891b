import { type Command, InvalidArgumentError } from 'commander';
import { isToken } from '../auth/secret.js';
import { BASE_URL_RULE, parseBaseUrl } from '../formats/base-url.js';
import { readSecretFile } from '../secret-files.js';
import { UsageError } from './report-failure.js';

interface McpCommandOptions {
  readonly from: string;
  readonly tokenFile: string;
}

export function registerMcp(program: Command): void {
  program
    .command('mcp')
    .description('speak the Model Context Protocol on standard input and output, for an agent that starts this command')
    .requiredOption('--from <url>', 'the running gateway that is asked, such as https://gateway.example.com', parseUrl)
    .requiredOption('--token-file <file>', 'the file with an API token of the gateway; a VIEWER suffices')
    .addHelpText('after', '\nAgents that reach the gateway themselves use its path /mcp instead; docs/mcp.md configures both.')
    .action(run);
}

async function run({ from, tokenFile }: McpCommandOptions): Promise<void> {
  const token = readSecretFile('--token-file', tokenFile);
  if (!isToken(token))
    throw new UsageError(`The file ${tokenFile} in --token-file must contain one API token, in visible ASCII.`);
  // The SDK takes 150 ms, which no other command should spend.
  const { forwardStdio } = await import('../mcp/stdio.js');
  await forwardStdio({ url: `${from}/mcp`, token, onFailure: (reason) => process.stderr.write(`${reason}\n`) });
}

function parseUrl(text: string): string {
  const url = parseBaseUrl(text);
  if (url === null) throw new InvalidArgumentError(`It ${BASE_URL_RULE}.`);
  return url;
}
