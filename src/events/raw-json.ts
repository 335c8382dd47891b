const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const [OPENING_BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * The text of each value of a JSON object, by its key, as it stands in `json`, which must be a valid object. Parsing and printing again
 * would change it: long numbers lose digits, a repeated key goes missing. Of a repeated key of this object itself the last counts.
 */
export function readRawValues(json: string): Map<string, string> {
  const values = new Map<string, string>();
  let position = json.indexOf('{') + 1;
  for (;;) {
    const keyStart = json.indexOf('"', position);
    if (keyStart === -1) return values;
    const keyEnd = endOfString(json, keyStart);
    const valueStart = json.indexOf(':', keyEnd) + 1;
    const valueEnd = endOfValue(json, valueStart);
    values.set(JSON.parse(json.slice(keyStart, keyEnd)) as string, json.slice(valueStart, valueEnd).trim());
    position = valueEnd + 1;
  }
}

/** The index behind the closing quote of the string that begins at `start`. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end + 1;
}

/** Whether an odd number of backslashes stands before the character. */
function isEscaped(json: string, index: number): boolean {
  let before = index - 1;
  while (json.charCodeAt(before) === BACKSLASH) before -= 1;
  return (index - before) % 2 === 0;
}

/** The index of the comma or brace that follows the value at `start`. */
function endOfValue(json: string, start: number): number {
  let depth = 0;
  let index = start;
  for (;;) {
    const character = json.charCodeAt(index);
    if (character === QUOTE) {
      index = endOfString(json, index);
      continue;
    }
    if (character === OPENING_BRACE || character === OPENING_BRACKET) depth += 1;
    if (depth === 0 && (character === COMMA || character === CLOSING_BRACE)) return index;
    if (character === CLOSING_BRACE || character === CLOSING_BRACKET) depth -= 1;
    index += 1;
  }
}
