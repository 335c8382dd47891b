const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const [OPENING_BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Where the value of a key stands in the text of an object, without the blanks around it. */
export interface RawValue {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the value of each key of a JSON object as it stands in `json`. Parsing and printing again would change it: long numbers lose
 * digits, a repeated key goes missing.
 * @returns null if the text ends within a value. What is no JSON otherwise may be found in any way, but where replacing a value that was
 * found by another makes an object, it is the value of that key.
 */
export function findRawValues(json: string): RawValue[] | null {
  const values: RawValue[] = [];
  let position = json.indexOf('{') + 1;
  for (;;) {
    const keyStart = json.indexOf('"', position);
    if (keyStart === -1) return values;
    const keyEnd = endOfString(json, keyStart);
    const colon = json.indexOf(':', keyEnd);
    const start = skipBlanks(json, colon + 1);
    const end = endOfValue(json, start);
    if (keyEnd > json.length || colon === -1 || end === json.length) return null;
    values.push({ key: readKey(json.slice(keyStart, keyEnd)), start, end: skipBlanksBack(json, end, start) });
    position = end + 1;
  }
}

/** The elements of a JSON array as they stand in `json`. @returns null for what is no array, or ends within an element */
export function findRawElements(json: string): string[] | null {
  const elements: string[] = [];
  let position = skipBlanks(json, 0);
  if (json.charCodeAt(position) !== OPENING_BRACKET) return null;
  position = skipBlanks(json, position + 1);
  if (json.charCodeAt(position) === CLOSING_BRACKET) return elements;
  for (;;) {
    const start = skipBlanks(json, position);
    const end = endOfValue(json, start);
    if (end === json.length) return null;
    elements.push(json.slice(start, skipBlanksBack(json, end, start)));
    if (json.charCodeAt(end) === CLOSING_BRACKET) return elements;
    position = end + 1;
  }
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

/** The blanks of JSON; there are others that it does not know. */
const BLANKS = ' \t\r\n';

function skipBlanks(json: string, index: number): number {
  let next = index;
  while (next < json.length && BLANKS.includes(json.charAt(next))) next += 1;
  return next;
}

function skipBlanksBack(json: string, index: number, least: number): number {
  let end = index;
  while (end > least && BLANKS.includes(json.charAt(end - 1))) end -= 1;
  return end;
}

/** The index behind the closing quote of the string that begins at `start`; beyond the end of the text if there is none. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return (end === -1 ? json.length : end) + 1;
}

/** Whether an odd number of backslashes stands before the character. */
function isEscaped(json: string, index: number): boolean {
  let before = index - 1;
  while (json.charCodeAt(before) === BACKSLASH) before -= 1;
  return (index - before) % 2 === 0;
}

/** The index of the comma, brace or bracket that follows the value at `start`; the length of the text if there is none. */
function endOfValue(json: string, start: number): number {
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
