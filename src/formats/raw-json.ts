import {
  BACKSLASH,
  CARRIAGE_RETURN,
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COMMA,
  LINE_FEED,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
  SPACE,
  TAB,
} from './json-characters.js';

/** The key of a member of a JSON object, and the position of its value in the text, without surrounding whitespace. */
export interface RawValue {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds each key of a JSON object and the raw text of its value. Parsing and printing would change the text: long numbers lose
 * digits, and repeated keys get lost.
 * @returns null if the text ends within a value. The result for other invalid JSON is arbitrary, with one guarantee: if replacing
 *   a found value makes the text a valid object, the value's key has the new value in that object.
 */
export function findRawValues(json: string): RawValue[] | null {
  const values: RawValue[] = [];
  let position = json.indexOf('{') + 1;
  for (;;) {
    const keyStart = json.indexOf('"', position);
    if (keyStart === -1) return values;
    const keyEnd = endOfString(json, keyStart);
    const colon = json.indexOf(':', keyEnd);
    const start = skipWhitespace(json, colon + 1);
    const end = endOfValue(json, start);
    if (keyEnd > json.length || colon === -1 || end === json.length) return null;
    values.push({ key: readKey(json.slice(keyStart, keyEnd)), start, end: skipWhitespaceBack(json, end, start) });
    position = end + 1;
  }
}

/** Finds the raw text of each element of a JSON array. @returns null if `json` is not an array, or ends within an element */
export function findRawElements(json: string): string[] | null {
  const elements: string[] = [];
  let position = skipWhitespace(json, 0);
  if (json.charCodeAt(position) !== OPENING_BRACKET) return null;
  position = skipWhitespace(json, position + 1);
  if (json.charCodeAt(position) === CLOSING_BRACKET) return elements;
  for (;;) {
    const start = skipWhitespace(json, position);
    const end = endOfValue(json, start);
    if (end === json.length) return null;
    elements.push(json.slice(start, skipWhitespaceBack(json, end, start)));
    if (json.charCodeAt(end) === CLOSING_BRACKET) return elements;
    position = end + 1;
  }
}

/** The deepest nesting of JSON in a request. Documents have the same limit (graphql/nesting.ts), which avoids stack overflows. */
export const MAX_JSON_NESTING = 64;

export const JSON_NESTING_RULE = `must not be nested deeper than ${MAX_JSON_NESTING} levels`;

/** Whether objects and arrays are nested in each other more than `levels` deep. */
export function isNestedDeeper(json: string, levels: number): boolean {
  // Each level has at least two characters.
  if (json.length < 2 * levels) return false;
  let depth = 0;
  for (let index = 0; index < json.length && depth <= levels; index += 1) {
    const character = json.charCodeAt(index);
    if (character === QUOTE) index = endOfString(json, index) - 1;
    else if (character === OPENING_BRACE || character === OPENING_BRACKET) depth += 1;
    else if (character === CLOSING_BRACE || character === CLOSING_BRACKET) depth -= 1;
  }
  return depth > levels;
}

function readKey(quoted: string): string {
  return quoted.includes('\\') ? (parseOrNull(quoted) ?? quoted) : quoted.slice(1, -1);
}

function parseOrNull(json: string): string | null {
  try {
    return JSON.parse(json) as string;
  } catch {
    return null;
  }
}

/** Whether a character is whitespace in JSON, which has fewer such characters than JavaScript. */
function isWhitespace(character: number): boolean {
  return character === SPACE || character === LINE_FEED || character === CARRIAGE_RETURN || character === TAB;
}

function skipWhitespace(json: string, index: number): number {
  let next = index;
  while (isWhitespace(json.charCodeAt(next))) next += 1;
  return next;
}

function skipWhitespaceBack(json: string, index: number, least: number): number {
  let end = index;
  while (end > least && isWhitespace(json.charCodeAt(end - 1))) end -= 1;
  return end;
}

/** Returns the index after the closing quote of the string at `start`; without a closing quote, `json.length + 1`. */
export function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return (end === -1 ? json.length : end) + 1;
}

/** Whether an odd number of backslashes precedes the character. */
function isEscaped(json: string, index: number): boolean {
  let before = index - 1;
  while (json.charCodeAt(before) === BACKSLASH) before -= 1;
  return (index - before) % 2 === 0;
}

/** Returns the index of the comma, brace or bracket after the value at `start`; without one, the length of `json`. */
export function endOfValue(json: string, start: number): number {
  let depth = 0;
  let index = start;
  while (index < json.length) {
    const character = json.charCodeAt(index);
    if (character === QUOTE) {
      index = endOfString(json, index);
      continue;
    }
    if (character === OPENING_BRACE || character === OPENING_BRACKET) depth += 1;
    const isClosing = character === CLOSING_BRACE || character === CLOSING_BRACKET;
    if (depth === 0 && (character === COMMA || isClosing)) return index;
    if (isClosing) depth -= 1;
    index += 1;
  }
  return json.length;
}
