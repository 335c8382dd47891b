import { QUOTE } from '../../formats/json-characters.js';
import { JsonText } from '../../formats/json-text.js';
import { toDecimalKey } from './decimal.js';

export type JsonKind = 'object' | 'list' | 'scalar';

const NO_MEMBERS: ReadonlyMap<string, JsonNode> = new Map();
const NO_ELEMENTS: readonly JsonNode[] = [];

/** A value in a JSON text. The value keeps its text as stored, so numbers have all their digits. */
export class JsonNode {
  #scalarKey: string | undefined;

  /**
   * @param source the whole text
   * @param start the position of the value in the text
   * @param members the values of an object by key. The last value of a repeated key counts, as in JavaScript and in `jsonb`
   */
  constructor(
    readonly kind: JsonKind,
    private readonly source: string,
    private readonly start: number,
    private readonly end: number,
    readonly members: ReadonlyMap<string, JsonNode> = NO_MEMBERS,
    readonly elements: readonly JsonNode[] = NO_ELEMENTS,
  ) {}

  get text(): string {
    return this.source.slice(this.start, this.end);
  }

  /** Whether two values have the same text. Values with different texts can still be equal. */
  hasTextOf(other: JsonNode): boolean {
    return this.end - this.start === other.end - other.start && this.text === other.text;
  }

  /** A text that two scalars share if they are equal. The string `"1"` and the number `1` are different. */
  get scalarKey(): string {
    this.#scalarKey ??= toScalarKey(this.text);
    return this.#scalarKey;
  }

  get isString(): boolean {
    return this.source.charCodeAt(this.start) === QUOTE;
  }

  /** The text of a scalar for people to read. A string has no quotes. */
  get label(): string {
    return this.isString ? this.scalarKey.slice(1) : this.text;
  }

  toJson(): JsonText {
    return new JsonText(this.text);
  }
}

function toScalarKey(text: string): string {
  const first = text.charAt(0);
  if (first === '"') return `"${text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1)}`;
  return first === '-' || (first >= '0' && first <= '9') ? toDecimalKey(text) : text;
}
