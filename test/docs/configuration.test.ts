import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { type Environment, parseEnvironment } from '../../src/environment.js';
import { DESCRIPTIONS } from '../../src/environment-help.js';
import { runCommand } from '../support/run-command.js';

const defaults = parseEnvironment({});
const names = Object.keys(DESCRIPTIONS) as (keyof Environment)[];
const variables = names.map((name) => [name, defaults[name]] as const);
const rows = new Map(
  [...readFileSync('docs/configuration.md', 'utf8').matchAll(/^\| `([A-Z_]+)` \| (.*?) ?\| /gm)].map(([, name, byDefault]) => [
    name,
    byDefault,
  ]),
);

test('docs/configuration.md → each variable once, with its default', () => {
  expect([...rows.keys()].sort()).toEqual(variables.map(([name]) => name).sort());
  for (const [name, value] of variables) {
    const byDefault = String(value ?? '');
    if (byDefault !== '') expect([name, rows.get(name)]).toEqual([name, `\`${byDefault}\``]);
  }
});

test('serve --help → each variable with its default', async () => {
  const { code, stdout } = await runCommand({}, ['serve', '--help']);
  expect(code).toBe(0);
  for (const [name, value] of variables) {
    const line = stdout.split('\n').find((text) => text.trim().startsWith(`${name} `));
    expect(line).toBeDefined();
    if (String(value ?? '') !== '') expect(line).toContain(`(default: ${value})`);
  }
});
