import type { Command } from 'commander';
import { parseConfig } from '../config.js';
import { describeVariables } from '../environment-help.js';
import { describeLog, renderBanner } from './banner.js';
import { runGateway } from './run-gateway.js';

export function registerServe(program: Command): void {
  program
    .command('serve')
    .description('migrate the database, then serve GraphQL and REST; the default command')
    .addHelpText('after', describeVariables)
    .action(() => {
      const config = parseConfig(process.env);
      return runGateway(config, async (gateway) =>
        renderBanner(gateway.url, config, await describeLog(gateway, config), gateway.firstAdminToken),
      );
    });
}
