import path from 'node:path';
import type { Command } from 'commander';
import { createApiTokenService } from '../auth/api-token.service.js';
import { createApiTokenStore } from '../auth/api-token.store.js';
import { type Config, parseConfig } from '../config.js';
import type { Database } from '../database/open.js';
import { importSampleLog } from '../demo/import-sample-log.js';
import type { Gateway, GatewayOptions } from '../gateway.js';
import { describeLog, renderBanner } from './banner.js';
import { runGateway } from './run-gateway.js';

/** The name of the token, by which the next start finds and revokes it. */
const TOKEN_NAME = 'demo';

const ABOUT_SAMPLE = 'This is a sample log. For a new one, stop the demo and delete the folder of the database.';
/** A first question about the sample log, and how to answer it on each page. */
const QUESTIONS = {
  console: 'Who switched off checkout? Open the console, paste the token below, and filter by flag:checkout.',
  graphiql: 'Who switched off checkout? Open GraphiQL, paste the token below, and run the query in the tab FlagHistory.',
};

/** Variables that would lead the demo to another database, or to the tokens of an Unleash server. */
const IGNORED_VARIABLES = /^(DATABASE_|UNLEASH_)/;

export function registerDemo(program: Command): void {
  program
    .command('demo')
    .description('serve a sample log from a folder of its own, beside DATA_DIR, with a new ADMIN token at each start')
    .addHelpText('after', '\nVariables that begin with DATABASE_ or UNLEASH_ are ignored. The default of LOG_LEVEL is warn.')
    .action(() => {
      const { config, describe, options } = createDemo(process.env);
      return runGateway(config, describe, options);
    });
}

/** Returns the configuration and options of a gateway with the sample log, and a function that describes the started gateway. */
export function createDemo(env: NodeJS.ProcessEnv): {
  readonly config: Config;
  readonly options: GatewayOptions;
  readonly describe: (gateway: Gateway) => Promise<string>;
} {
  const config = parseDemoConfig(env);
  let secret: string | null = null;
  return {
    config,
    options: {
      async prepare(database) {
        await importSampleLog(database);
        secret = await replaceToken(database);
      },
    },
    async describe(gateway) {
      const page = (['console', 'graphiql'] as const).find((name) => config[name]);
      const log = [...(await describeLog(gateway, config)), ABOUT_SAMPLE, ...(page ? [QUESTIONS[page]] : [])];
      return renderBanner(gateway.url, config, log, secret);
    },
  };
}

/** Puts the database in a folder beside that of `serve`. By default, requests are not logged, so that the token stays visible. */
function parseDemoConfig(env: NodeJS.ProcessEnv): Config {
  const used = Object.entries(env).filter(([name]) => !IGNORED_VARIABLES.test(name));
  const dataDir = `${path.resolve(env['DATA_DIR'] || './data')}-demo`;
  return parseConfig({ ...Object.fromEntries(used), DATA_DIR: dataDir, LOG_LEVEL: env['LOG_LEVEL'] || 'warn' });
}

/** Revokes the ADMIN token of the previous start, and creates a new one. @returns the secret of the new token */
async function replaceToken(database: Database): Promise<string> {
  const tokens = createApiTokenService(createApiTokenStore(database));
  for (const { id, name } of await tokens.list()) if (name === TOKEN_NAME) await tokens.revoke(id);
  return tokens.create({ name: TOKEN_NAME, role: 'ADMIN', projects: 'all', expiresAt: null });
}
