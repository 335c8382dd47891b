import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { parseReasons, RULES, readReasons } from '../../conformance/differences.mjs';

const [first = '', second = ''] = Object.keys(RULES);
const text = await readFile(new URL('../../docs/differences.md', import.meta.url), 'utf8');
const lineOf = (name: string) => text.split('\n').find((line) => line.startsWith(`| \`${name}\``)) ?? '';

test('docs/differences.md → exactly one line for each difference that the conformance check knows', async () => {
  const reasons: Map<string, string> = await readReasons();
  expect([...reasons.keys()].sort()).toEqual(Object.keys(RULES).sort());
  expect([...reasons.values()].every((reason) => reason !== '')).toBe(true);
});

test.each([
  ['a rule without a line', text.replace(`${lineOf(first)}\n`, ''), `no line for ${first}`],
  ['a line without a rule', text.replace(`\`${second}\``, '`invented`'), `no line for ${second}`],
  ['one more line', `${text}| \`invented\` | a difference | a reason |\n`, 'lines without a rule: invented'],
  ['a line twice', `${text}${lineOf(first)}\n`, `several lines for ${first}`],
])('%s → an error that names it', (_, document, message) => {
  expect(() => parseReasons(document)).toThrow(message);
});
