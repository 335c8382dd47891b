import { QUOTE } from '../formats/json-characters.js';
import { findRawValues } from '../formats/raw-json.js';

/** The columns, in the order of the file. The last three are JSON texts. */
const COLUMNS = [
  'id',
  'createdAt',
  'type',
  'createdBy',
  'createdByUserId',
  'environment',
  'project',
  'featureName',
  'tags',
  'data',
  'preData',
] as const;

const POSITIONS: ReadonlyMap<string, number> = new Map(COLUMNS.map((column, position) => [column, position]));

const JSON_COLUMNS: ReadonlySet<string> = new Set(['tags', 'data', 'preData']);

/** RFC 4180 ends a record by CRLF. */
const END = '\r\n';

/** The first record of a file. export-log.ts decides whether a text begins with it, and which events follow. */
export const CSV_HEADER = `${COLUMNS.join(',')}${END}`;

/** A spreadsheet runs a text that begins with one of these characters as a formula. */
const FORMULA = /^[=+\-@\t\r\n]/;

/**
 * In many languages, spreadsheets split records at semicolons, even within quotes. The next cell can then be a formula. Quotes
 * can precede the formula: the file doubles them, and a spreadsheet removes them.
 */
const FORMULA_AFTER_SEPARATOR = /[;\t\r\n]"*(?=[=+\-@])/g;

/**
 * A cell that contains one of these characters is quoted. RFC 4180 does not require quotes for semicolons and tabs, but
 * LibreOffice splits at them by default.
 */
const SPECIAL = /[",;\t\r\n]/;

/** Matches a JSON string that CSV contains without its quotes and otherwise unchanged. Most short texts match. */
const PLAIN = /^"(?![=+\-@])[^"\\,;]+"$/;

/**
 * Converts an event in wire form to a record of CSV (RFC 4180). Null is an empty cell, and an empty text is `""`.
 * @param guardsFormulas whether a text that a spreadsheet would run as a formula gets a `'` before it
 */
export function toCsvRecord(event: string, guardsFormulas: boolean): string {
  const cells = COLUMNS.map(() => '');
  for (const { key, start, end } of findRawValues(event) ?? []) {
    const position = POSITIONS.get(key);
    const raw = event.slice(start, end);
    if (position === undefined || raw === 'null') continue;
    if (JSON_COLUMNS.has(key)) cells[position] = quote(guardsFormulas ? guardJson(raw) : raw);
    else cells[position] = raw.startsWith('"') ? toTextCell(raw, guardsFormulas) : raw;
  }
  return `${cells.join(',')}${END}`;
}

function toTextCell(json: string, guardsFormulas: boolean): string {
  if (PLAIN.test(json)) return json.slice(1, -1);
  const text = JSON.parse(json) as string;
  if (text === '') return '""';
  return quote(guardsFormulas ? guardText(text) : text);
}

function guardText(text: string): string {
  const guarded = text.replaceAll(FORMULA_AFTER_SEPARATOR, "$&'");
  return FORMULA.test(text) ? `'${guarded}` : guarded;
}

/**
 * Escapes semicolons before formulas. The value stays the same, because JSON has semicolons only in strings. Tabs and line breaks
 * need no escape, because JSON strings contain none.
 */
function guardJson(json: string): string {
  return json.includes(';') ? json.replaceAll(/;(?=[=+\-@])/g, '\\u003b') : json;
}

function quote(text: string): string {
  return SPECIAL.test(text) ? `"${doubleQuotes(text)}"` : text;
}

/** The buffers of `doubleQuotes` hold texts of up to this length. Few values of `data` and `preData` are longer. */
const MAX_BUFFERED = 32 * 1024;

/** UTF-8 has at most three bytes for a UTF-16 unit. A quote has one byte, so a doubled one fits as well. */
const source = Buffer.allocUnsafeSlow(3 * MAX_BUFFERED);
const doubled = Buffer.allocUnsafeSlow(source.length);

/**
 * Doubles each quote, in bytes. With the dozens of quotes of a JSON text, `replaceAll` takes three times as long. An unpaired
 * surrogate becomes U+FFFD, as it would when the file is written.
 */
function doubleQuotes(text: string): string {
  if (!text.includes('"')) return text;
  if (text.length > MAX_BUFFERED) return text.replaceAll('"', '""');
  const length = source.write(text);
  let end = 0;
  for (let index = 0; index < length; index += 1) {
    const byte = source[index] as number;
    doubled[end] = byte;
    end += 1;
    if (byte === QUOTE) {
      doubled[end] = byte;
      end += 1;
    }
  }
  return doubled.toString('utf8', 0, end);
}
