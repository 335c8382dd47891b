import { CLOSING_BRACKET, COMMA, OPENING_BRACE, OPENING_BRACKET } from '../formats/json-characters.js';
import { MUST_BE_OBJECT } from './event-line.js';
import { ImportError } from './import-error.js';
import { JsonChunks, type Suspending } from './json-chunks.js';
import { decodeText, type RawEvent } from './raw-event.js';

/**
 * Splits JSON documents, one after another, into the raw text of the events in them, in constant memory. A document is an array
 * of events, an object with an array `events`, or a single event. Yields the events of each chunk.
 * @param onTotal receives the total that an object with an array `events` states: the number of events of the whole search
 * @throws ImportError for text that is wrong or ends too early, once the events before it are yielded
 */
export async function* splitDocuments(
  file: AsyncIterable<Uint8Array>,
  onTotal: (total: number) => void,
): AsyncGenerator<readonly RawEvent[]> {
  const chunks = new JsonChunks();
  let events: RawEvent[] = [];
  const parsing = new DocumentParser(chunks, (event) => events.push(event), onTotal).parse();
  const parse = function* (chunk: Uint8Array | null): Generator<readonly RawEvent[]> {
    events = [];
    chunks.add(chunk);
    try {
      parsing.next();
    } finally {
      yield events;
    }
  };
  for await (const chunk of file) yield* parse(chunk);
  yield* parse(null);
}

/** Matches the key `events` and the bracket of its array. A key such as `"a,\"events"` does not match: its quote is escaped. */
const BEFORE_EVENTS = /[{,]\s*"events"\s*:\s*\[$/;

const LIST = 'The list of events';
const ENVELOPE = 'The object around the events';

/** Whether the text begins with an object, perhaps cut off, that has an array `events`. */
export function hasEventArray(start: Uint8Array): boolean {
  const chunks = new JsonChunks();
  chunks.add(start);
  const { done, value } = chunks.readObject({ place: ENVELOPE, stopsAt: BEFORE_EVENTS }).next();
  return done === true && value.hasStopped;
}

/** Parses JSON down to the events, which stay text. It suspends at the end of each chunk. */
class DocumentParser {
  /** The number of events that were found so far. */
  #events = 0;

  constructor(
    readonly chunks: JsonChunks,
    readonly onEvent: (event: RawEvent) => void,
    readonly onTotal: (total: number) => void,
  ) {}

  *parse(): Suspending<void> {
    for (let byte = yield* this.chunks.peek(); byte !== null; byte = yield* this.chunks.peek()) {
      if (byte === OPENING_BRACE) {
        yield* this.#parseObject();
      } else if (byte === OPENING_BRACKET) {
        this.chunks.skip();
        yield* this.#parseElements();
      } else {
        throw this.chunks.unexpected();
      }
    }
  }

  /** Parses an event, or an object around events. */
  *#parseObject(): Suspending<void> {
    const place = this.#nextPlace();
    const { pieces, hasStopped } = yield* this.chunks.readObject({ place, stopsAt: BEFORE_EVENTS });
    if (hasStopped) {
      yield* this.#parseElements();
      const rest = yield* this.chunks.readObject({ place: ENVELOPE, isOpen: true });
      this.#readEnvelope(decodeText([...pieces, Buffer.from(']'), ...rest.pieces], ENVELOPE));
    } else {
      this.#addEvent(place, pieces);
    }
  }

  /** Parses the rest of an array after its opening bracket: the elements and the closing bracket. */
  *#parseElements(): Suspending<void> {
    let byte = yield* this.chunks.peek();
    if (byte === CLOSING_BRACKET) {
      this.chunks.skip();
      return;
    }
    for (;;) {
      if (byte === null) throw this.chunks.cutOff(LIST);
      const place = this.#nextPlace();
      if (byte === CLOSING_BRACKET) throw new ImportError(place, 'is missing after a comma');
      if (byte !== OPENING_BRACE) throw new ImportError(place, MUST_BE_OBJECT);
      const { pieces } = yield* this.chunks.readObject({ place });
      this.#addEvent(place, pieces);
      byte = yield* this.chunks.peek();
      if (byte === null) throw this.chunks.cutOff(LIST);
      this.chunks.skip();
      if (byte === CLOSING_BRACKET) return;
      if (byte !== COMMA) throw new ImportError(place, 'is followed by neither a comma nor the end of the list');
      byte = yield* this.chunks.peek();
    }
  }

  #nextPlace(): string {
    return `Event ${this.#events + 1} in line ${this.chunks.line}`;
  }

  #addEvent(place: string, pieces: readonly Uint8Array[]): void {
    this.onEvent({ place, text: decodeText(pieces, place) });
    this.#events += 1;
  }

  /** Parses the object around the events, and reports its total. Other fields such as `version` say nothing about the events. */
  #readEnvelope(text: string): void {
    let json: { readonly events: unknown; readonly total?: unknown; readonly totalEvents?: unknown };
    try {
      json = JSON.parse(text) as typeof json;
    } catch {
      throw new ImportError(ENVELOPE, 'is not valid JSON');
    }
    if (!Array.isArray(json.events) || json.events.length > 0) throw new ImportError(ENVELOPE, 'has the field events twice');
    const total = json.total ?? json.totalEvents;
    if (typeof total === 'number') this.onTotal(total);
  }
}
