import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

const LINE_END = 0x0a;

/** The id at the beginning of a line, in both formats. */
const ID = /^(?:\{"id":)?(-?\d+)/;

/**
 * Hashes the bytes of an exported file and counts its lines. It assumes that no text in a CSV file contains a line break, which
 * is true of the generated log.
 */
export class ExportFile {
  /** The number of whole lines. */
  lines = 0;
  /** The number of bytes of the whole lines. */
  bytes = 0;
  /** The bytes after the last whole line. */
  #rest = Buffer.alloc(0);
  /** The latest bytes that end with a whole line, and begin at the start of one. */
  #latest = Buffer.alloc(0);
  #hash = createHash('sha256');

  /** The number of bytes, with those after the last whole line. */
  get size() {
    return this.bytes + this.#rest.length;
  }

  /** The id of the event on the last whole line; null without one. */
  get lastId() {
    const start = this.#latest.lastIndexOf(LINE_END, -2) + 1;
    const [, id] = ID.exec(this.#latest.toString('utf8', start, start + 32)) ?? [];
    return id === undefined ? null : Number(id);
  }

  /** @param {Buffer} bytes */
  add(bytes) {
    const end = bytes.lastIndexOf(LINE_END) + 1;
    const all = Buffer.concat([this.#rest, bytes]);
    const whole = all.subarray(0, end === 0 ? 0 : this.#rest.length + end);
    this.#rest = all.subarray(whole.length);
    if (whole.length === 0) return;
    this.#hash.update(whole);
    this.bytes += whole.length;
    for (let at = whole.indexOf(LINE_END); at !== -1; at = whole.indexOf(LINE_END, at + 1)) this.lines += 1;
    this.#latest = whole;
  }

  /** Drops the bytes after the last whole line. */
  cut() {
    this.#rest = Buffer.alloc(0);
  }

  /** Returns the hash of the whole lines. Nothing can be added afterwards. */
  digest() {
    if (this.#rest.length > 0) throw new Error(`The export ends with ${this.#rest.length} bytes after its last line.`);
    return this.#hash.digest('hex');
  }
}

/** @type {(file: string) => Promise<string>} */
export async function hashOfFile(file) {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(file)) hash.update(bytes);
  return hash.digest('hex');
}

/**
 * Returns different random places in a file, ascending. The same seed gives the same ones.
 * @type {(seed: string, count: number, bytes: number) => number[]}
 */
export function randomPlaces(seed, count, bytes) {
  const fraction = (/** @type {number} */ n) => createHash('sha256').update(`${seed} ${n}`).digest().readUInt32LE() / 2 ** 32;
  const places = Array.from({ length: count }, (_, n) => 1 + Math.floor(fraction(n) * (bytes - 1)));
  return [...new Set(places)].sort((one, other) => one - other);
}
