import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parse } from 'csv-parse/sync';

/**
 * Opens an exported CSV file in LibreOffice, and checks that each cell is where it belongs and that no formula runs. Needs
 * LibreOffice Calc: the package libreoffice-calc-nogui of Debian is enough.
 */
const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

const CSV = 'Text - txt - csv (StarCalc)';
/** Double quotes, UTF-8, from line 1, no format of columns, no language. */
const FORMAT = '34,76,1,,0';
/** Settings of the dialog that opens a file: the separators as codes, and whether dates and other special numbers are recognized. */
const OPENINGS = {
  'with commas': `44,${FORMAT},false,false`,
  'with commas and special numbers': `44,${FORMAT},false,true`,
  'with commas, semicolons and tabs': `44/59/9,${FORMAT},false,false`,
};
/** A spreadsheet of a language with decimal commas splits at semicolons. Columns are then wrong, but no formula may run. */
const WITH_SEMICOLONS = `59,${FORMAT},false,false`;
/** Writes all texts in quotes. A formula is written as its result. */
const AS_STORED = `csv:${CSV}:44,${FORMAT},true,false`;
/** An XML format in which a cell with a formula has an attribute. */
const FLAT_XML = 'fods';

/** Texts that LibreOffice or another spreadsheet runs as a formula, or that break columns. */
const TEXTS = [
  '=1+1',
  '+1+1',
  '-1+1',
  '@SUM(1,1)',
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  ' =1+1',
  '"=1+1"',
  ';=1+1',
  'a;=1+1',
  'a;=1+1;b',
  'a;"=1+1;b',
  'a\n=1+1;b',
  'a";=1+1;b',
  'a\t=1+1',
  '{=1+1}',
  '＝1+1',
  '=HYPERLINK("http://127.0.0.1:9/?"&A1,"open")',
  '=WEBSERVICE("http://127.0.0.1:9/")',
  `=DDE("soffice","${MAIN}","a1")`,
  "=cmd|'/C calc'!A1",
  "'=1+1",
  'comma, "quote", semicolon; tab\tand\nline\r\nbreak',
  'čšž 東京 🚩',
  '',
];

const folder = mkdtempSync(path.join(tmpdir(), 'gateway-csv-'));
const failures = [];
try {
  importEvents();
  const exported = exportCsv('safe.csv');
  const expected = parse(readFileSync(exported));
  for (const [way, settings] of Object.entries(OPENINGS)) {
    const rows = parse(readFileSync(open(exported, settings, AS_STORED)), { relaxColumnCount: true });
    const formulas = countFormulas(exported, settings);
    process.stdout.write(`${way}: ${rows.length} rows of ${rows[0].length} columns, ${formulas} formulas\n`);
    if (formulas > 0) failures.push(`${way}: ${formulas} formulas run`);
    compare(way, rows, expected);
  }
  const split = countFormulas(exported, WITH_SEMICOLONS);
  process.stdout.write(`with semicolons alone: ${split} formulas\n`);
  if (split > 0) failures.push(`with semicolons alone: ${split} formulas run`);
  // Without the apostrophes, formulas run. This shows that the checks above find them.
  const kept = exportCsv('formulas.csv', '--formulas', 'keep');
  for (const settings of [OPENINGS['with commas'], WITH_SEMICOLONS]) {
    const formulas = countFormulas(kept, settings);
    process.stdout.write(`with --formulas keep: ${formulas} formulas\n`);
    if (formulas === 0) failures.push('The check finds no formula where formulas are kept.');
  }
} finally {
  rmSync(folder, { recursive: true });
}
for (const failure of failures) process.stderr.write(`${failure}\n`);
process.exitCode = failures.length > 0 ? 1 : 0;

/** Imports one event for each text. Each has its text in every field that a text can be in. */
function importEvents() {
  const lines = TEXTS.map((text, index) =>
    JSON.stringify({
      id: index + 1,
      createdAt: '2026-11-23T09:00:00.000Z',
      type: text || 'feature-created',
      createdBy: text || 'nobody',
      createdByUserId: -1337,
      environment: text,
      project: index % 2 ? text : null,
      featureName: text,
      data: { [text]: text },
      preData: null,
      tags: [{ type: 'simple', value: `${text}=1+1`.slice(0, 50) }],
    }),
  );
  writeFileSync(path.join(folder, 'log.ndjson'), lines.join('\n'));
  gateway('import', path.join(folder, 'log.ndjson'));
}

function exportCsv(name, ...options) {
  const file = path.join(folder, name);
  gateway('export', '--format', 'csv', '--output', file, ...options);
  return file;
}

function gateway(...args) {
  const env = { PATH: process.env.PATH, DATA_DIR: path.join(folder, 'data') };
  execFileSync(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Opens a file in LibreOffice with a profile of its own, and saves it in another format. @returns the path of the saved file */
function open(file, settings, format) {
  const output = path.join(folder, 'opened');
  const profile = `-env:UserInstallation=${pathToFileURL(path.join(folder, 'profile'))}`;
  const args = [profile, '--headless', `--infilter=${CSV}:${settings}`, '--convert-to', format, '--outdir', output, file];
  const { error, status, stderr } = spawnSync('soffice', args, { encoding: 'utf8', timeout: 120_000 });
  if (error?.code === 'ENOENT') throw new Error('LibreOffice is not installed: apt-get install libreoffice-calc-nogui');
  if (status !== 0) throw new Error(`LibreOffice ended with ${status}: ${stderr}`);
  return path.join(output, `${path.parse(file).name}.${format.split(':')[0]}`);
}

function countFormulas(file, settings) {
  return readFileSync(open(file, settings, FLAT_XML), 'utf8').match(/<table:table-cell [^>]*table:formula=/g)?.length ?? 0;
}

function compare(way, rows, expected) {
  if (rows.length !== expected.length) failures.push(`${way}: ${rows.length} rows instead of ${expected.length}`);
  for (const [index, cells] of expected.entries()) {
    const opened = rows[index] ?? [];
    const isSame = opened.length === cells.length && cells.every((cell, column) => toOpened(cell) === opened[column]);
    if (!isSame) failures.push(`${way}: row ${index + 1}: ${JSON.stringify(opened)} instead of ${JSON.stringify(cells)}`);
  }
}

/** LibreOffice stores a line break in a cell as LF. */
function toOpened(cell) {
  return cell.replaceAll(/\r\n?/g, '\n');
}
