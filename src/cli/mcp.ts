import type { Command } from 'commander';
import { parseUrl, readTokenFile } from './gateway-options.js';

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
  const token = readTokenFile(tokenFile);
  // Loading the SDK takes 150 ms, so only this command loads it.
  const { forwardStdio } = await import('../mcp/stdio.js');
  await forwardStdio({ url: `${from}/mcp`, token, onFailure: (reason) => process.stderr.write(`${reason}\n`) });
}
