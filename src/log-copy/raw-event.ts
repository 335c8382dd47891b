import { ImportError } from './import-error.js';

/** An event of a file as its unparsed text, with the place to name in errors, such as "Line 3". */
export interface RawEvent {
  readonly place: string;
  readonly text: string;
}

/** The largest event that is accepted. Without this limit, a file without line breaks would be read into memory whole. */
const MAX_EVENT_BYTES = 16 * 1024 * 1024;

/** @throws ImportError if the event or the line at `place` has too many bytes */
export function requireShort(bytes: number, place: string): void {
  if (bytes > MAX_EVENT_BYTES) throw new ImportError(place, 'is longer than 16 MiB');
}

/** Joins and decodes the bytes of the event at `place`. @throws ImportError if the bytes are not UTF-8 */
export function decodeText(pieces: readonly Uint8Array[], place: string): string {
  const [first, ...others] = pieces;
  const bytes = first && others.length === 0 ? first : Buffer.concat(pieces);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ImportError(place, 'is not valid UTF-8');
  }
}
