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
  let index = start + 1;
  while (json[index] !== '"') index += json[index] === '\\' ? 2 : 1;
  return index + 1;
}

/** The index of the comma or brace that follows the value at `start`. */
function endOfValue(json: string, start: number): number {
  let depth = 0;
  let index = start;
  for (;;) {
    const character = json[index];
    if (character === '"') {
      index = endOfString(json, index);
      continue;
    }
    if (character === '{' || character === '[') depth += 1;
    if (depth === 0 && (character === ',' || character === '}')) return index;
    if (character === '}' || character === ']') depth -= 1;
    index += 1;
  }
}
