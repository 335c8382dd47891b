import { constants } from 'node:os';
import type { Command } from 'commander';
import { type Config, parseConfig } from '../config.js';
import type { Gateway } from '../gateway.js';

export function registerServe(program: Command): void {
  program
    .command('serve')
    .description('migrate the database, then serve GraphQL and REST; the default command')
    .action(async () => {
      const config = parseConfig(process.env);
      const letStop = stopOnSignals();
      // Loaded here, because the other commands do not need the gateway's dependencies.
      const { startGateway } = await import('../gateway.js');
      const gateway = await startGateway(config);
      letStop(gateway, config.stopDelayMs);
      process.stderr.write(banner(gateway, config));
    });
}

function banner({ url, firstAdminToken, database }: Gateway, { graphiql, databaseSchema, unleash }: Config): string {
  const lines = [`GraphQL   ${url}/graphql`, `REST      ${url}/api/admin  (described at ${url}/openapi.json)`];
  if (graphiql) lines.push(`GraphiQL  ${url}/graphiql`);
  lines.push(`Database  ${databaseSchema === 'own' ? `own (${database.kind})` : 'of an Unleash server'}`);
  if (unleash) lines.push(`Tokens    also those of ${unleash.url}`);
  if (firstAdminToken) lines.push('', `Admin API token, shown this once: ${firstAdminToken}`);
  return `\nflag-admin-gateway is ready at ${url}\n\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n\n`;
}

/** The process fails if stopping takes longer, without the stop delay. graceful-shutdown.ts gives requests in flight less time. */
const STOP_MS = 10_000;

/**
 * The first signal finishes the requests in flight. A second signal, or one during the start, ends the process at once. The handler
 * calls `exit`, because the system ignores a signal that the first process of a container does not handle.
 * @returns a function to call once the gateway has started
 */
function stopOnSignals(): (gateway: Gateway, delayMs: number) => void {
  let stop: (() => Promise<void>) | null = null;
  const onSignal = (signal: NodeJS.Signals) => {
    if (!stop) process.exit(128 + constants.signals[signal]);
    stop().then(
      () => process.exit(0),
      (error) => fail(`Stopping after ${signal} failed: ${String(error)}`),
    );
    stop = null;
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return (gateway, delayMs) => {
    stop = () => {
      setTimeout(() => fail(`Stopping took longer than ${STOP_MS / 1000} seconds.`), delayMs + STOP_MS).unref();
      return gateway.stop();
    };
  };
}

function fail(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
