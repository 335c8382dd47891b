import { describe, expect, test } from '@jest/globals';
import { runCommand } from '../support/run-command.js';

/** The commands without a required option. If one is missing, Commander reports that instead of the unknown option. */
const COMMANDS = ['serve', 'demo', 'migrate', 'import', 'token list', 'token revoke', 'indexes', 'schema', 'openapi'];

describe('wrong usage', () => {
  test.each(COMMANDS)('%s with an unknown option → exit code 2, the option and where to find help', async (command) => {
    const { code, stdout, stderr } = await runCommand({}, [...command.split(' '), '--nonsense']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe("error: unknown option '--nonsense'\n(add --help for the commands and their options)\n");
  });

  test.each([
    [['serve', '--port', '5000'], 'PORT'],
    [['--port=5000'], 'PORT'],
    [['serve', '--database-url', 'postgresql://user:hunter2@host/database'], 'DATABASE_URL'],
    [['token', 'list', '--data-dir', 'x'], 'DATA_DIR'],
  ])('%j → exit code 2, and the environment variable that sets it', async (args, variable) => {
    const { code, stdout, stderr } = await runCommand({}, args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`Set the environment variable ${variable} instead.\n`);
    expect(stderr).not.toContain('hunter2');
  });

  test.each([
    [
      ['token', 'create', '--role', 'VIEWER', '--name', 'x', '--projct', 'y'],
      /unknown option '--projct'\n\(Did you mean --project\?\)/,
    ],
    [['token', 'list', '--jsn'], /unknown option '--jsn'\n\(Did you mean --json\?\)/],
    [['imprt', 'x'], /unknown command 'imprt'\n\(Did you mean import\?\)/],
    [['token', 'lst'], /unknown command 'lst'\n\(Did you mean list\?\)/],
    [['import'], /missing required argument 'file'/],
    [['serve', 'now'], /too many arguments/],
    [['mirror', '--token', 'hunter2'], /required option '--from <url>' not specified/],
    [['token'], /^Usage: flag-admin-gateway token /],
    [['indexes', '--apply', '--drop'], /^Give --apply or --drop, not both\.$/m],
  ])('%j → exit code 2, and what was meant', async (args, message) => {
    const { code, stdout, stderr } = await runCommand({}, args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/hunter2|^\s*at /m);
  });
});

test.each([[['--help']], [['token', 'create', '--help']], [['help', 'mirror']], [['--version']]])(
  '%j → exit code 0, on standard output',
  async (args) => {
    const { code, stdout, stderr } = await runCommand({}, args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toBe('');
  },
);
