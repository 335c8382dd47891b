import {
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COMMA,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
  SPACE,
} from '../../formats/json-characters.js';
import { endOfString, endOfValue } from '../../formats/raw-json.js';
import { JsonNode } from './json-node.js';

/**
 * Parses valid JSON in one pass, and keeps the text of each value.
 * @param maxDepth how deeply nested objects and lists are parsed; deeper ones have no members or elements
 */
export function parseJson(text: string, maxDepth: number): JsonNode {
  return new Parser(text, maxDepth).parseValue(0);
}

class Parser {
  #position = 0;

  constructor(
    private readonly text: string,
    private readonly maxDepth: number,
  ) {}

  parseValue(depth: number): JsonNode {
    const first = this.#skipWhitespace();
    const start = this.#position;
    const isContainer = first === OPENING_BRACE || first === OPENING_BRACKET;
    if (isContainer && depth < this.maxDepth)
      return first === OPENING_BRACE ? this.#parseObject(start, depth + 1) : this.#parseList(start, depth + 1);
    if (isContainer) this.#position = start + this.text.slice(start, endOfValue(this.text, start)).trimEnd().length;
    else if (first === QUOTE) this.#position = endOfString(this.text, start);
    else this.#skipLiteral();
    const kind = first === OPENING_BRACE ? 'object' : isContainer ? 'list' : 'scalar';
    return new JsonNode(kind, this.text, start, this.#position);
  }

  #parseObject(start: number, depth: number): JsonNode {
    const members = new Map<string, JsonNode>();
    while (this.#beginsItem(CLOSING_BRACE)) {
      const keyStart = this.#position;
      this.#position = endOfString(this.text, keyStart);
      const key = this.text.slice(keyStart + 1, this.#position - 1);
      this.#skipWhitespace();
      this.#position += 1;
      members.set(key.includes('\\') ? (JSON.parse(`"${key}"`) as string) : key, this.parseValue(depth));
    }
    return new JsonNode('object', this.text, start, this.#position, members);
  }

  #parseList(start: number, depth: number): JsonNode {
    const elements: JsonNode[] = [];
    while (this.#beginsItem(CLOSING_BRACKET)) elements.push(this.parseValue(depth));
    return new JsonNode('list', this.text, start, this.#position, undefined, elements);
  }

  /** Skips the opening character, a comma or the closing character. @returns whether an item follows */
  #beginsItem(closing: number): boolean {
    const isEnd = this.#skipWhitespace() === closing;
    this.#position += 1;
    if (isEnd) return false;
    const isEmpty = this.#skipWhitespace() === closing;
    if (isEmpty) this.#position += 1;
    return !isEmpty && this.#position < this.text.length;
  }

  #skipLiteral(): void {
    for (; this.#position < this.text.length; this.#position += 1) {
      const character = this.text.charCodeAt(this.#position);
      if (character <= SPACE || character === COMMA || character === CLOSING_BRACE || character === CLOSING_BRACKET) return;
    }
  }

  /** Returns the next character that is not whitespace. */
  #skipWhitespace(): number {
    let character = this.text.charCodeAt(this.#position);
    while (character <= SPACE) {
      this.#position += 1;
      character = this.text.charCodeAt(this.#position);
    }
    return character;
  }
}
