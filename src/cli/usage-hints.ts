import type { Command } from 'commander';
import { isEnvironmentVariable } from '../environment.js';

/**
 * Makes Commander throw on wrong usage instead of ending the process. If an unknown option is the name of an environment
 * variable, such as `--port`, adds a hint to the message. Commands that are added to `program` later inherit this.
 */
export function suggestVariables(program: Command): Command {
  return program.exitOverride().configureOutput({
    outputError: (message, write) => {
      const [, option = ''] = /unknown option '--([\w-]+)/.exec(message) ?? [];
      const variable = option.toUpperCase().replaceAll('-', '_');
      write(isEnvironmentVariable(variable) ? `${message}Set the environment variable ${variable} instead.\n` : message);
    },
  });
}
