import { listBundledPackages, listProductionPackages } from './production-packages.mjs';

/** Prints docs/licenses.md. Fails on a license outside of this list. The licenses in it require no more than a notice. */
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
 * Checks an SPDX expression: one side of an OR and both sides of an AND must be allowed. Rejects a mix of the two, for review.
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
    'The licenses of the packages in the container, including those bundled into the IDE and the console. `npm run generate` writes this file.',
    '',
    '| | |',
    '| --- | --- |',
    ...rows,
    '',
  ].join('\n'),
);

const rejected = [...byLicense].filter(([license]) => !isAllowed(license));
for (const [license, names] of rejected) process.stderr.write(`Not allowed: ${license} (${[...names].join(', ')})\n`);
if (rejected.length > 0) process.exitCode = 1;
