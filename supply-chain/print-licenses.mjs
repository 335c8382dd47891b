import { listBundledPackages, listProductionPackages } from './production-packages.mjs';

/** Prints docs/licenses.md, and fails where a license is not one of those that ask no more than to be named. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

/**
 * Of an SPDX expression, one side of each OR has to be allowed, and both of each AND. One that mixes them is for a person to read.
 * @type {(expression: string) => boolean}
 */
function isAllowed(expression) {
  const flat = expression.replaceAll(/[()]/g, '');
  const isChoice = / or /i.test(flat);
  if (isChoice && / and /i.test(flat)) return false;
  const licenses = flat.split(/ (?:or|and) /i);
  return isChoice ? licenses.some((license) => ALLOWED.has(license)) : licenses.every((license) => ALLOWED.has(license));
}

/** @type {Map<string, Set<string>>} */
const byLicense = new Map();
for (const { name, license = 'none' } of [...listProductionPackages(), ...(await listBundledPackages())]) {
  byLicense.set(license, (byLicense.get(license) ?? new Set()).add(name));
}
const rows = [...byLicense]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([license, names]) => `| ${license} | ${[...names].sort().join(', ')} |`);
process.stdout.write(
  [
    '# Licenses',
    '',
    'Of the packages that the container has, those bundled into the IDE too. `npm run generate` writes this.',
    '',
    '| | |',
    '| --- | --- |',
    ...rows,
    '',
  ].join('\n'),
);

const refused = [...byLicense].filter(([license]) => !isAllowed(license));
for (const [license, names] of refused) process.stderr.write(`Not allowed: ${license} (${[...names].join(', ')})\n`);
if (refused.length > 0) process.exitCode = 1;
