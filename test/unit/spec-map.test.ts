import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

const ROOT = new URL('../../', import.meta.url);
const map = readFileSync(new URL('docs/spec-map.md', ROOT), 'utf8');

const SECTIONS = ['1', '2.1', '2.2', '2.3', '2.4', '2.5', '2.6', '2.7', '3', '4.1', '4.2', '4.3', '5', '6', '7', '8', '9'];

describe('docs/spec-map.md', () => {
  const rows = [...map.matchAll(/^\| ([1-9](?:\.\d)?) .*$/gm)].map(([row, section]) => ({ row, section }));

  test('has one row for each section of the API document, in its order', () => {
    expect(rows.map(({ section }) => section)).toEqual(SECTIONS);
  });

  test.each(rows)('spec $section → files of src and of test', ({ row }) => {
    expect(row).toContain('`src/');
    expect(row).toContain('`test/');
  });

  const files = [...new Set([...map.matchAll(/`((?:src|test|prisma|docs)\/[^`]+)`/g)].map(([, file = '']) => file))];

  test.each(files)('%s → exists', (file) => {
    expect(existsSync(new URL(file, ROOT))).toBe(true);
  });
});
