#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { registerImport } from './cli/import.js';
import { registerIndexes } from './cli/indexes.js';
import { registerMigrate } from './cli/migrate.js';
import { registerMirror } from './cli/mirror.js';
import { registerOpenapiCommand } from './cli/openapi.js';
import { reportFailure } from './cli/report-failure.js';
import { registerSchema } from './cli/schema.js';
import { registerServe } from './cli/serve.js';
import { registerToken } from './cli/token.js';
import { hintAtVariables } from './cli/usage-hints.js';

const { version, description } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>;

const program = hintAtVariables(new Command('flag-admin-gateway'))
  .description(description ?? '')
  .version(version ?? '')
  .showHelpAfterError('(add --help for the commands and their options)')
  .addHelpText('after', '\nThe configuration is read from environment variables; README.md lists them.');

const commands = [registerServe, registerMigrate, registerImport, registerMirror, registerToken, registerIndexes, registerSchema];
for (const register of [...commands, registerOpenapiCommand]) register(program);

// A reader such as `head` may close the pipe before the end of the output.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const hasNoArguments = process.argv.length === 2;
await program.parseAsync(hasNoArguments ? [...process.argv, 'serve'] : process.argv).catch(reportFailure);
