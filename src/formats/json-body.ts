import { JsonList, JsonText, toJson } from './json-text.js';

/**
 * A body of at least this many characters is encoded in parts. V8 gives a longer flat string memory of its own, which the kernel
 * has to provide anew for each response. Buffers reuse the memory of earlier ones (docs/decisions/046-new-memory.md).
 */
const LONG_BODY = 64 * 1024;

/** Works like `toJson`, and returns a long text as bytes in UTF-8. */
export function toBody(value: unknown): string | Buffer {
  // The text is a tree of its parts up to here, which V8 flattens only when it is read. So this costs little for a long body.
  const text = toJson(value);
  return text.length < LONG_BODY ? text : encodeParts(toParts(value));
}

/** Encodes the parts of a text one after the other in UTF-8, without a string of the whole text. */
export function encodeParts(parts: readonly string[]): Buffer {
  const length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  const body = Buffer.allocUnsafeSlow(length);
  let end = 0;
  for (const part of parts) end += body.write(part, end);
  return body;
}

/** Splits the JSON of a value into parts: the items of lists, and what is between them. */
function toParts(value: unknown): string[] {
  if (value instanceof JsonList) return value.toParts();
  const isPlainObject = typeof value === 'object' && value !== null && !(value instanceof JsonText) && !Array.isArray(value);
  if (!isPlainObject) return [toJson(value)];
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .flatMap(([name, member], index) => [`${index === 0 ? '' : ','}${toJson(name)}:`, ...toParts(member)]);
  return ['{', ...members, '}'];
}
