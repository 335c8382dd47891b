import { JsonList, JsonText, toJson } from './json-text.js';

/**
 * A body of at least this many characters is encoded in parts. At two bytes per character, it has at least 128 kB. V8 allocates
 * separate memory for a longer flat string, and the kernel has to provide it anew for each response. Buffers reuse the memory of
 * earlier buffers (docs/decisions/046-new-memory.md).
 */
const LONG_BODY = 64 * 1024;

/** Works like `toJson`, and returns a long text as bytes in UTF-8. */
export function toBody(value: unknown): string | Buffer {
  const parts: string[] = [];
  addParts(value, parts);
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return length < LONG_BODY ? parts.join('') : encodeParts(parts);
}

/** Encodes the parts of a text one after the other in UTF-8, without a string of the whole text. */
export function encodeParts(parts: readonly string[]): Buffer {
  const length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  const body = Buffer.allocUnsafeSlow(length);
  let end = 0;
  for (const part of parts) end += body.write(part, end);
  return body;
}

/** Adds the JSON of a value in parts: the items of lists, and what is between them. */
function addParts(value: unknown, parts: string[]): void {
  // Uses no `push(...parts)`, because a call takes a limited number of arguments.
  if (value instanceof JsonList) for (const part of value.takeParts()) parts.push(part);
  else if (typeof value !== 'object' || value === null || value instanceof JsonText) parts.push(toJson(value));
  else if (Array.isArray(value)) {
    parts.push('[');
    for (const [index, item] of value.entries()) parts.push(index === 0 ? toJson(item) : `,${toJson(item)}`);
    parts.push(']');
  } else {
    let separator = '{';
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      parts.push(`${separator}${toJson(name)}:`);
      addParts(member, parts);
      separator = ',';
    }
    parts.push(separator === '{' ? '{}' : '}');
  }
}
