import { CARRIAGE_RETURN, LINE_FEED, SPACE, TAB } from '../formats/json-characters.js';
import { ImportError } from './import-error.js';
import { ObjectEnd } from './object-end.js';
import { requireShort } from './raw-event.js';

/** The number of bytes that `stopsAt` sees: the last bytes up to and including the opening bracket of an array. */
const STOP_BYTES = 256;

/** A generator that suspends while it needs the next chunk. */
export type Suspending<T> = Generator<void, T>;

interface ReadObjectOptions {
  /** The name of the object in errors. */
  readonly place: string;
  /** Whether the opening brace was read before. */
  readonly isOpen?: boolean;
  /** Reading stops after the opening `[` of a key's array if this pattern matches the text so far, which ends with the `[`. */
  readonly stopsAt?: RegExp;
}

/** JSON text that arrives in chunks of UTF-8 bytes. Only the object that is being read stays in memory. */
export class JsonChunks {
  /** The number of the current line, from 1. */
  line = 1;
  #chunk: Uint8Array = new Uint8Array();
  #index = 0;
  #bytesBefore = 0;
  #isComplete = false;

  /** Continues with the next chunk, once the current one is read to its end. Null stands for the end of the file. */
  add(chunk: Uint8Array | null): void {
    this.#bytesBefore += this.#chunk.length;
    this.#chunk = chunk ?? new Uint8Array();
    this.#index = 0;
    this.#isComplete = chunk === null;
  }

  /** Skips whitespace. @returns the next byte, which remains to be read; null at the end of the file */
  *peek(): Suspending<number | null> {
    while (yield* this.#hasByte()) {
      this.#skipWhitespace();
      if (this.#index < this.#chunk.length) return this.#chunk[this.#index] as number;
    }
    return null;
  }

  /** Reads the byte that `peek` returned. */
  skip(): void {
    this.#index += 1;
  }

  /** Reads an object without checking its JSON. @returns its bytes, and whether reading stopped in an array */
  *readObject({ place, isOpen = false, stopsAt }: ReadObjectOptions): Suspending<{ pieces: Uint8Array[]; hasStopped: boolean }> {
    const end = new ObjectEnd(isOpen ? 1 : 0);
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    while (yield* this.#hasByte()) {
      const start = this.#index;
      let found = end.find(this.#chunk, start);
      while (found === 'array' && !stopsAt?.test(lastText([...pieces, this.#chunk.subarray(start, end.index)])))
        found = end.find(this.#chunk, end.index);
      pieces.push(this.#chunk.subarray(start, end.index));
      bytes += end.index - start;
      requireShort(bytes, place);
      this.#index = end.index;
      if (found === 'chunk end') continue;
      this.line += end.lines;
      return { pieces, hasStopped: found === 'array' };
    }
    throw this.cutOff(place);
  }

  /** Returns the error for a file that ends too early. */
  cutOff(place: string): ImportError {
    return new ImportError(place, `is cut off: the JSON text ends at byte ${this.#bytesBefore.toLocaleString('en')}`);
  }

  /** Returns the error for a byte that neither begins a document nor follows one. */
  unexpected(): ImportError {
    const byte = (this.#bytesBefore + this.#index + 1).toLocaleString('en');
    return new ImportError(`The text from byte ${byte} on, in line ${this.line},`, 'is not JSON');
  }

  #skipWhitespace(): void {
    const chunk = this.#chunk;
    let index = this.#index;
    for (; index < chunk.length; index += 1) {
      const byte = chunk[index];
      if (byte === LINE_FEED) this.line += 1;
      else if (byte !== SPACE && byte !== TAB && byte !== CARRIAGE_RETURN) break;
    }
    this.#index = index;
  }

  /** Suspends until the next byte has arrived. @returns false at the end of the file */
  *#hasByte(): Suspending<boolean> {
    while (this.#index === this.#chunk.length && !this.#isComplete) yield;
    return this.#index < this.#chunk.length;
  }
}

/** Returns the last `STOP_BYTES` bytes as Latin-1 text. Each character outside of ASCII becomes several characters. */
function lastText(pieces: readonly Uint8Array[]): string {
  const last: Uint8Array[] = [];
  let missing = STOP_BYTES;
  for (let index = pieces.length - 1; index >= 0 && missing > 0; index -= 1) {
    const piece = (pieces[index] as Uint8Array).subarray(-missing);
    last.unshift(piece);
    missing -= piece.length;
  }
  return Buffer.concat(last).toString('latin1');
}
