import { isDeepStrictEqual } from 'node:util';
import type { EventRow } from '../events/event.js';
import { endOfString } from '../formats/raw-json.js';
import { readEventFile } from './event-file.js';
import { parseEventLine } from './event-line.js';
import type { ImportStore, ImportTransaction } from './import.store.js';
import { ImportError } from './import-error.js';
import type { RawEvent } from './raw-event.js';

export interface ImportResult {
  /** The number of events in the file. */
  readonly read: number;
  /** The number of events that the log did not have yet. */
  readonly added: number;
  /** The total number of events that the file states; null for none. The file may contain only one page of them. */
  readonly total: number | null;
}

interface PlacedEvent {
  readonly place: string;
  readonly event: EventRow;
}

/** The limits of a batch, in events and in characters of JSON. The round trip to the database is a small part of its cost. */
const BATCH_EVENTS = 250;
const BATCH_CHARACTERS = 2 ** 19;

/**
 * Imports events in wire form with their ids and times, and moves the id sequence past them. Imports the whole file or nothing.
 * Existing events stay as they are, so a second run changes nothing.
 * @throws ImportError that names the first event that is wrong
 */
export async function importEvents(
  store: ImportStore,
  file: AsyncIterable<Uint8Array>,
  onProgress: (read: number) => void,
): Promise<ImportResult> {
  return store.inTransaction(async (transaction) => {
    let read = 0;
    let added = 0;
    let total: number | null = null;
    const onTotal = (stated: number) => {
      total = Math.max(stated, total ?? 0);
    };
    const write = async (batch: readonly PlacedEvent[]): Promise<void> => {
      added += await addBatch(transaction, batch);
      read += batch.length;
      onProgress(read);
    };
    // Reads and parses the next batch while the database writes the current one.
    let writing = Promise.resolve();
    try {
      for await (const batch of inBatches(readEventFile(file, onTotal))) {
        await writing;
        writing = write(batch);
        writing.catch(() => undefined); // The next `await` throws the error.
      }
    } finally {
      // Waits after a read error too. If the database rejects an event, that error is thrown instead, because the event comes
      // earlier in the file.
      await writing;
    }
    await transaction.moveSequence();
    return { read, added, total };
  });
}

async function* inBatches(file: AsyncIterable<readonly RawEvent[]>): AsyncGenerator<PlacedEvent[]> {
  let batch: PlacedEvent[] = [];
  let characters = 0;
  for await (const events of file) {
    for (const { place, text } of events) {
      if (text.trim() === '') continue;
      const event = parseEventLine(text);
      if ('problem' in event) throw new ImportError(place, event.problem);
      batch.push({ place, event });
      characters += text.length;
      if (batch.length === BATCH_EVENTS || characters > BATCH_CHARACTERS) {
        yield batch;
        batch = [];
        characters = 0;
      }
    }
  }
  if (batch.length > 0) yield batch;
}

async function addBatch(transaction: ImportTransaction, batch: readonly PlacedEvent[]): Promise<number> {
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

/** Returns the error for the first event of a batch that the database rejects. */
async function findRejected(transaction: ImportTransaction, batch: readonly PlacedEvent[], failure: string): Promise<Error> {
  for (const { place, event } of batch) {
    const problem = await transaction.attempt(() => transaction.add([event]));
    if (problem !== null) return new ImportError(place, `is rejected by the database: ${problem}`);
  }
  return new Error(
    `The database rejected the batch from ${batch[0]?.place} to ${batch.at(-1)?.place}, but none of its events alone: ${failure}`,
  );
}

async function rejectConflicts(transaction: ImportTransaction, batch: readonly PlacedEvent[]): Promise<void> {
  const inLog = await transaction.findEvents(batch.map(({ event }) => event.id));
  for (const { place, event } of batch) {
    const logged = inLog.get(event.id);
    if (logged && !isSameEvent(logged, event)) {
      throw new ImportError(place, `has the id ${event.id}, which another event of the log or of the file already has`);
    }
  }
}

function isSameEvent(one: EventRow, other: EventRow): boolean {
  return isDeepStrictEqual(comparable(one), comparable(other));
}

/** Returns an event with its JSON parsed. Absent tags equal an empty list, because the API returns an empty list for both. */
function comparable({ data, preData, tags, ...columns }: EventRow): object {
  return { ...columns, data: parseJson(data), preData: parseJson(preData), tags: parseJson(tags) ?? [] };
}

/** Parses JSON with numbers in a normal form that keeps all digits. As in `jsonb`, `1.0e2` equals `100`, and `-0` equals `0`. */
function parseJson(text: string | null): unknown {
  return text === null ? null : JSON.parse(markNumbers(text));
}

/** Replaces each number by an object with its normal form, and leaves strings as they are. */
function markNumbers(json: string): string {
  const mark = (text: string) => text.replaceAll(NUMBER, (number) => `{"\\u0000":"${normalize(number)}"}`);
  const parts: string[] = [];
  let position = 0;
  for (let quote = json.indexOf('"'); quote !== -1; quote = json.indexOf('"', position)) {
    const end = endOfString(json, quote);
    parts.push(mark(json.slice(position, quote)), json.slice(quote, end));
    position = end;
  }
  return [...parts, mark(json.slice(position))].join('');
}

const NUMBER = /-?\d[\d.eE+-]*/g;

function normalize(number: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE](.+))?$/.exec(number) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  return significant === ''
    ? '0'
    : `${sign}${significant}e${BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length)}`;
}
