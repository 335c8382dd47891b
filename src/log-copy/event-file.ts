import { gunzip } from './gunzip.js';
import { ImportError } from './import-error.js';
import type { RawEvent } from './raw-event.js';
import { hasEventArray, splitDocuments } from './split-documents.js';
import { splitLines } from './split-lines.js';

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const UTF_16_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

/** The most bytes that are read to detect the format of a file. A file with a longer first line is read as JSON documents. */
const MAX_START_BYTES = 2 ** 16;

const FORMATS =
  'one event per line (NDJSON), an array of events, or an object such as {"events": [...]}, all of them also as gzip';

/**
 * Reads the raw text of each event in a file, in constant memory. event-line.ts parses this text. The content of the file shows
 * whether the file is compressed, and whether it has one event per line or consists of JSON documents.
 * @param onTotal receives the total number of events that the file states. The file may contain only one page of them
 * @throws ImportError for a file that is malformed or truncated
 */
export async function* readEventFile(
  file: AsyncIterable<Uint8Array>,
  onTotal: (total: number) => void,
): AsyncGenerator<readonly RawEvent[]> {
  const content = await peek(file, (start) => start.length >= GZIP_MAGIC.length);
  const { start, rest } = await peek(startsWith(content.start, GZIP_MAGIC) ? gunzip(join(content)) : join(content), hasFirstLine);
  const text = { start: startsWith(start, BYTE_ORDER_MARK) ? start.subarray(BYTE_ORDER_MARK.length) : start, rest };
  yield* isEventPerLine(text.start) ? splitLines(join(text)) : splitDocuments(join(text), onTotal);
}

function hasFirstLine(start: Buffer): boolean {
  return start.length >= MAX_START_BYTES || start.toString('utf8').trimStart().includes('\n');
}

/** Whether the file has one event per line, judged by its first non-blank line. @throws ImportError if it is not JSON in UTF-8 */
function isEventPerLine(start: Buffer): boolean {
  if (UTF_16_MARKS.some((mark) => startsWith(start, mark)))
    throw new ImportError('The file', 'is encoded in UTF-16. Convert it to UTF-8');
  const text = start.toString('utf8', 0, MAX_START_BYTES).trimStart();
  if (text !== '' && !/^[{[]/.test(text)) throw new ImportError('The file', `does not begin with { or [. Expected ${FORMATS}`);
  const isCut = start.length >= MAX_START_BYTES && !text.includes('\n');
  const line = text.split('\n', 1).join('').trimEnd();
  const isIndented = /[{[,:]$/.test(line);
  return line.startsWith('{') && !isCut && !isIndented && !hasEventArray(Buffer.from(line));
}

function startsWith(bytes: Buffer, prefix: Buffer): boolean {
  return bytes.subarray(0, prefix.length).equals(prefix);
}

interface PeekedFile {
  readonly start: Buffer;
  readonly rest: AsyncIterable<Uint8Array>;
}

/** Reads chunks from the start of a file until `isEnough` accepts them or the file ends. */
async function peek(file: AsyncIterable<Uint8Array>, isEnough: (start: Buffer) => boolean): Promise<PeekedFile> {
  const chunks = file[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    start = Buffer.concat([start, next.value]);
    if (isEnough(start)) break;
  }
  return { start, rest: { [Symbol.asyncIterator]: () => chunks } };
}

async function* join({ start, rest }: PeekedFile): AsyncGenerator<Uint8Array> {
  yield start;
  yield* rest;
}
