import type { Command } from 'commander';
import { type Config, parseConfig } from '../config.js';
import type { Gateway } from '../gateway.js';

export function registerServe(program: Command): void {
  program
    .command('serve')
    .description('serve GraphQL and REST, as without a command; migrates the database first')
    .action(async () => {
      const config = parseConfig(process.env);
      // The other commands do without all that it brings along.
      const { startGateway } = await import('../gateway.js');
      const gateway = await startGateway(config);
      stopOnSignals(gateway);
      process.stderr.write(banner(gateway, config));
    });
}

function banner({ url, firstAdminToken, database }: Gateway, { graphiql, databaseSchema, unleash }: Config): string {
  const lines = [`GraphQL   ${url}/graphql`, `REST      ${url}/api/admin  (described at ${url}/openapi.json)`];
  if (graphiql) lines.push(`GraphiQL  ${url}/graphiql`);
  lines.push(`Database  ${databaseSchema === 'own' ? `its own (${database.kind})` : 'that of an Unleash server'}`);
  if (unleash) lines.push(`Tokens    also those of ${unleash.url}`);
  if (firstAdminToken) lines.push('', `Admin API token, shown this once: ${firstAdminToken}`);
  return `\nflag-admin-gateway is ready at ${url}\n\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n\n`;
}

/** The first signal finishes what is in flight; a second one ends the process at once, as it would by default. */
function stopOnSignals(gateway: Gateway): void {
  const stop = (signal: NodeJS.Signals) => {
    process.removeListener('SIGINT', stop).removeListener('SIGTERM', stop);
    gateway.stop().then(
      () => process.exit(0),
      (error) => {
        process.stderr.write(`Stopping after ${signal} failed: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
}
