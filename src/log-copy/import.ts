import { isDeepStrictEqual } from 'node:util';
import { OperatorError } from '../errors.js';
import type { EventRow } from '../events/event.js';
import { parseEventLine } from './event-line.js';
import type { ImportStore, ImportTransaction } from './import.store.js';
import { splitLines } from './split-lines.js';

/** Names the line that is wrong and its problem. Nothing of the file was imported. */
export class ImportError extends OperatorError {
  constructor(line: number, problem: string) {
    super(`Line ${line} ${problem}. Nothing of the file was imported.`);
  }
}

export interface ImportResult {
  /** The number of events in the file. */
  readonly read: number;
  /** The number of events that the log did not have yet. */
  readonly added: number;
}

interface NumberedLine {
  readonly number: number;
  readonly event: EventRow;
}

/** The size of a batch: large enough that a round trip to the database costs little. */
const BATCH_LINES = 250;
const BATCH_CHARACTERS = 2 ** 19;

/**
 * Imports events in wire form, one to a line, with their ids and times, and moves the id sequence past them. Imports the whole
 * file or nothing. Existing events stay as they are, so a second run changes nothing.
 * @throws ImportError that names the first bad line
 */
export async function importEvents(
  store: ImportStore,
  file: AsyncIterable<Uint8Array>,
  onProgress: (read: number) => void,
): Promise<ImportResult> {
  return store.inTransaction(async (transaction) => {
    let read = 0;
    let added = 0;
    const write = async (batch: readonly NumberedLine[]): Promise<void> => {
      added += await addBatch(transaction, batch);
      read += batch.length;
      onProgress(read);
    };
    // The next batch is read and parsed while the database takes this one.
    let writing = Promise.resolve();
    try {
      for await (const batch of inBatches(file)) {
        await writing;
        writing = write(batch);
        writing.catch(() => undefined); // thrown by the next `await`
      }
    } finally {
      // Also after an error in reading: a wrong line in the batch being written comes before it in the file.
      await writing;
    }
    await transaction.moveSequence();
    return { read, added };
  });
}

async function* inBatches(file: AsyncIterable<Uint8Array>): AsyncGenerator<NumberedLine[]> {
  let batch: NumberedLine[] = [];
  let characters = 0;
  for await (const lines of splitLines(file)) {
    for (const { number, text } of lines) {
      if (text === null) throw new ImportError(number, 'is not valid UTF-8, or longer than 16 MiB');
      if (text.trim() === '') continue;
      const event = parseEventLine(text);
      if ('problem' in event) throw new ImportError(number, event.problem);
      batch.push({ number, event });
      characters += text.length;
      if (batch.length === BATCH_LINES || characters > BATCH_CHARACTERS) {
        yield batch;
        batch = [];
        characters = 0;
      }
    }
  }
  if (batch.length > 0) yield batch;
}

async function addBatch(transaction: ImportTransaction, batch: readonly NumberedLine[]): Promise<number> {
  const events = batch.map(({ event }) => event);
  if ((await transaction.attempt(() => transaction.addNew(events))) === null) return batch.length;
  let added = 0;
  const failure = await transaction.attempt(async () => {
    added = await transaction.add(events);
  });
  if (failure !== null) throw await findRejected(transaction, batch, failure);
  if (added < batch.length) await rejectConflicts(transaction, batch);
  return added;
}

/** Finds the line of a batch that the database rejects. */
async function findRejected(transaction: ImportTransaction, batch: readonly NumberedLine[], failure: string): Promise<Error> {
  for (const { number, event } of batch) {
    const problem = await transaction.attempt(() => transaction.add([event]));
    if (problem !== null) return new ImportError(number, `is rejected by the database: ${problem}`);
  }
  return new Error(
    `The database rejected lines ${batch[0]?.number} to ${batch.at(-1)?.number} together, but none alone: ${failure}`,
  );
}

async function rejectConflicts(transaction: ImportTransaction, batch: readonly NumberedLine[]): Promise<void> {
  const inLog = await transaction.findLines(batch.map(({ event }) => event.id));
  for (const { number, event } of batch) {
    const logged = inLog.get(event.id);
    if (logged && !isSameEvent(logged, event)) {
      throw new ImportError(number, `has the id ${event.id}, under which the log or an earlier line already holds another event`);
    }
  }
}

function isSameEvent(one: EventRow, other: EventRow): boolean {
  return isDeepStrictEqual(comparable(one), comparable(other));
}

/** Compares JSON by its values. No tags equal an empty list, because the API returns an empty list if no tags are stored. */
function comparable({ data, preData, tags, ...columns }: EventRow): object {
  return { ...columns, data: parseJson(data), preData: parseJson(preData), tags: parseJson(tags) ?? [] };
}

/** Parses JSON and normalizes numbers with all digits: `1.0e2` is 100, and zero has no sign, as in PostgreSQL's `jsonb`. */
function parseJson(text: string | null): unknown {
  if (text === null) return null;
  return JSON.parse(
    text.replaceAll(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : `{"\\u0000":"${normalize(token)}"}`)),
  );
}

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

function normalize(number: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE](.+))?$/.exec(number) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  return significant === ''
    ? '0'
    : `${sign}${significant}e${BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length)}`;
}
