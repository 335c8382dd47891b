import {
  BACKSLASH,
  CLOSING_BRACE,
  CLOSING_BRACKET,
  LINE_FEED,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
} from '../formats/json-characters.js';

/**
 * Finds the end of a JSON object that arrives in chunks of bytes. Looks only at strings, braces and brackets, and does not check
 * the rest of the JSON. In UTF-8, a byte that looks like a quote, brace or bracket is never a part of another character.
 */
export class ObjectEnd {
  /** The index after the byte at which the last call of `find` stopped. */
  index = 0;
  /** The number of line breaks so far. */
  lines = 0;
  #depth: number;
  #isInString = false;
  #isEscaped = false;

  /** @param depth 0 before the opening brace of the object, 1 after it */
  constructor(depth: 0 | 1) {
    this.#depth = depth;
  }

  /**
   * Continues with `chunk` from the index `from`.
   * @returns `end` after the closing brace of the object, `array` after the opening bracket of an array that is the value of one
   *   of its keys, or `chunk end`
   */
  find(chunk: Uint8Array, from: number): 'end' | 'array' | 'chunk end' {
    for (let index = from; index < chunk.length; index += 1) {
      const byte = chunk[index];
      if (byte === LINE_FEED) this.lines += 1;
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#isInString = false;
      } else if (byte === QUOTE) {
        this.#isInString = true;
      } else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
        this.#depth += 1;
        this.index = index + 1;
        if (byte === OPENING_BRACKET && this.#depth === 2) return 'array';
      } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
        this.#depth -= 1;
        this.index = index + 1;
        if (this.#depth === 0) return 'end';
      }
    }
    this.index = chunk.length;
    return 'chunk end';
  }
}
