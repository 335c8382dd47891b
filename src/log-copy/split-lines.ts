import { LINE_FEED } from '../formats/json-characters.js';
import { decodeText, type RawEvent, requireShort } from './raw-event.js';

/**
 * Splits a UTF-8 file into lines, in constant memory. Yields the lines of each chunk.
 * @throws ImportError for a line that is too long or not UTF-8, once the lines before it are yielded
 */
export async function* splitLines(file: AsyncIterable<Uint8Array>): AsyncGenerator<readonly RawEvent[]> {
  const line: Line = { number: 1, pieces: [], bytes: 0 };
  for await (const chunk of file) {
    const lines: RawEvent[] = [];
    try {
      let start = 0;
      for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
        addPiece(line, chunk.subarray(start, end));
        lines.push(endLine(line));
        start = end + 1;
      }
      addPiece(line, chunk.subarray(start));
    } finally {
      yield lines;
    }
  }
  if (line.bytes > 0) yield [endLine(line)];
}

/** The line that is being read. Each piece is the part of it that one chunk contains. */
interface Line {
  number: number;
  pieces: Uint8Array[];
  bytes: number;
}

function addPiece(line: Line, piece: Uint8Array): void {
  line.pieces.push(piece);
  line.bytes += piece.length;
  requireShort(line.bytes, `Line ${line.number}`);
}

/** Returns the line that has been read, and resets `line` for the next one. */
function endLine(line: Line): RawEvent {
  const place = `Line ${line.number}`;
  const text = decodeText(line.pieces, place);
  line.number += 1;
  line.pieces = [];
  line.bytes = 0;
  return { place, text };
}
