import type { FileHandle } from 'node:fs/promises';
import { OperatorError } from '../errors.js';
import type { ExportRequest } from '../log-export/export-log.js';

/** Says why a file cannot be continued. */
class ContinuedFileError extends OperatorError {}

/** The last whole record of a file. */
interface LastRecord {
  /** The position of its first byte. */
  readonly start: number;
  /** The position after its line break. */
  readonly end: number;
}

const [LINE_FEED, QUOTE] = [0x0a, 0x22];

const CHUNK_BYTES = 1024 * 1024;

/** The number of bytes at the beginning of a record that always include its id. */
const ID_BYTES = 64;

/** The id at the beginning of a record. */
const ID = { ndjson: /^\{"id":(-?\d+),/, csv: /^(-?\d+),/ };

/**
 * Prepares the file of an interrupted export for the other events. Removes the last record if a kill or a full disk has cut it.
 * @throws ContinuedFileError if the last whole record is not that of `after`, so that the file would lack or repeat events
 */
export async function cutAfterLastRecord(
  handle: FileHandle,
  file: string,
  { format, after, upTo }: Pick<ExportRequest, 'format' | 'after' | 'upTo'>,
): Promise<void> {
  const { start, end } = await findLastRecord(handle, format);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(ID_BYTES), 0, Math.min(ID_BYTES, end - start), start);
  const [, id] = ID[format].exec(buffer.toString('utf8', 0, bytesRead)) ?? [];
  if (id === undefined)
    throw new ContinuedFileError(
      `The file ${file} has no whole event in the format ${format}. If it has none at all, remove it, and export with --up-to ${upTo} alone.`,
    );
  if (Number(id) !== after)
    throw new ContinuedFileError(
      `The last whole event of the file ${file} has the id ${id}, not ${after}. Continue it with --after ${id}.`,
    );
  await handle.truncate(end);
}

/** Reads the whole file, because a record of CSV can contain line breaks within quotes. Quotes within quotes are doubled. */
async function findLastRecord(handle: FileHandle, format: ExportRequest['format']): Promise<LastRecord> {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let [start, end, position] = [0, 0, 0];
  let isQuoted = false;
  for (;;) {
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return { start, end };
    for (let index = 0; index < bytesRead; index += 1) {
      const byte = chunk[index];
      if (byte === QUOTE && format === 'csv') isQuoted = !isQuoted;
      if (byte !== LINE_FEED || isQuoted) continue;
      start = end;
      end = position + index + 1;
    }
    position += bytesRead;
  }
}
