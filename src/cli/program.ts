import { Command } from 'commander';
import { description, version } from '../package.js';
import { registerDemo } from './demo.js';
import { registerExport } from './export.js';
import { registerFeed } from './feed.js';
import { registerImport } from './import.js';
import { registerIndexes } from './indexes.js';
import { registerMcp } from './mcp.js';
import { registerMigrate } from './migrate.js';
import { registerMirror } from './mirror.js';
import { registerOpenapi } from './openapi.js';
import { registerSchema } from './schema.js';
import { registerServe } from './serve.js';
import { registerToken } from './token.js';
import { suggestVariables } from './usage-hints.js';

/** The commands, in the order of the help. */
const COMMANDS = [
  registerServe,
  registerDemo,
  registerMigrate,
  registerImport,
  registerExport,
  registerFeed,
  registerMirror,
  registerMcp,
  registerToken,
  registerIndexes,
  registerSchema,
  registerOpenapi,
];

/** Creates the parser of the command line, with all commands. */
export function createProgram(): Command {
  const program = suggestVariables(new Command('flag-admin-gateway'))
    .description(description)
    .version(version)
    .showHelpAfterError('(add --help for the commands and their options)')
    .addHelpText('after', '\nThe configuration is read from environment variables; docs/configuration.md lists them.');
  for (const register of COMMANDS) register(program);
  return program;
}
