/** A part of the filter text between blanks. */
export interface FilterToken {
  /** The text before the colon, without the minus; undefined for free text. */
  readonly key: string | undefined;
  /** Whether a minus precedes the key. */
  readonly isNegative: boolean;
  /** The value without its quotes. */
  readonly value: string;
  /** The part as it was written. */
  readonly raw: string;
  readonly start: number;
  readonly end: number;
  /** Whether a quote was opened and not closed. */
  readonly isOpen: boolean;
}

/** Matches an optional key with its colon, then a quoted value or anything up to a blank. A quote elsewhere has no meaning. */
const TOKEN = /(?:(-?)([\p{L}\p{N}_-]+):)?(?:"((?:[^"\\]|\\.)*)("|\\?$)|(\S*))/suy;
const BLANKS = /\s*/uy;

/** The characters to escape in a quoted value. A one-line field cannot hold line breaks, and `"` and `\` are syntax. */
const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '"': '\\"', '\\': '\\\\' };
const UNESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r' };

/** Splits a filter text at blanks outside of quotes. */
export function splitFilterText(text: string): readonly FilterToken[] {
  const tokens: FilterToken[] = [];
  let position = skipBlanks(text, 0);
  while (position < text.length) {
    TOKEN.lastIndex = position;
    const [raw = '', minus, key, quoted, close, bare = ''] = TOKEN.exec(text) ?? [];
    const end = position + raw.length;
    const value = quoted === undefined ? bare : quoted.replace(/\\(.)/gsu, (_, letter: string) => UNESCAPED[letter] ?? letter);
    tokens.push({
      key,
      isNegative: minus === '-',
      value,
      raw,
      start: position,
      end,
      isOpen: quoted !== undefined && close !== '"',
    });
    position = skipBlanks(text, end);
  }
  return tokens;
}

/** Quotes a value that would be read as something else without quotes. */
export const quote = (value: string): string => (isPlain(value) ? value : putInQuotes(value));

/** Quotes a free text as `quote` does, and also a text with a colon, which could be read as a key and its value. */
export const quoteText = (text: string): string => (isPlain(text) && !text.includes(':') ? text : putInQuotes(text));

const isPlain = (value: string) => value !== '' && !/[\s"\\]/u.test(value);

const putInQuotes = (value: string) => `"${value.replace(/[\n\r"\\]/g, (letter) => ESCAPES[letter] ?? letter)}"`;

function skipBlanks(text: string, position: number): number {
  BLANKS.lastIndex = position;
  return position + (BLANKS.exec(text)?.[0].length ?? 0);
}
