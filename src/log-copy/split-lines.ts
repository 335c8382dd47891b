export interface TextLine {
  /** The number of the line, from 1. */
  readonly number: number;
  /** The line without its line break; null if it is not UTF-8 or exceeds the limit. */
  readonly text: string | null;
}

/** Far more than any event needs. Without a limit, a file without line breaks would be read into memory as a whole. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

const LINE_FEED = 0x0a;

/** Splits a UTF-8 file into lines, in constant memory. Yields the lines of each chunk; stops after a line that is too long. */
export async function* splitLines(file: AsyncIterable<Uint8Array>): AsyncGenerator<readonly TextLine[]> {
  let number = 0;
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of file) {
    const lines: TextLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      number += 1;
      lines.push({ number, text: decode([...pieces, chunk.subarray(start, end)]) });
      pieces = [];
      bytes = 0;
      start = end + 1;
    }
    yield lines;
    pieces.push(chunk.subarray(start));
    bytes += chunk.length - start;
    if (bytes > MAX_LINE_BYTES) {
      yield [{ number: number + 1, text: null }];
      return;
    }
  }
  if (bytes > 0) yield [{ number: number + 1, text: decode(pieces) }];
}

function decode(pieces: readonly Uint8Array[]): string | null {
  const [first, ...others] = pieces;
  const bytes = first && others.length === 0 ? first : Buffer.concat(pieces);
  if (bytes.length > MAX_LINE_BYTES) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
