import { createUnreadableList } from './unreadable-list.js';

/** JSON that is passed on as text. It keeps every digit of a long number, and costs no parsing. */
export class JsonText {
  constructor(protected json: string) {}

  get text(): string {
    return this.json;
  }
}

/** Concatenates the items with `+`, so V8 copies none of them before the text is written or searched. */
export function joinItems(items: readonly string[]): string {
  let text = '';
  for (const item of items) text += text === '' ? item : `,${item}`;
  return `[${text}]`;
}

const TAKEN = createUnreadableList('The list was already written.');

/** A list as JSON text, which can be split into its items again without parsing. */
export class JsonList extends JsonText {
  /** The items; null once the list is compact. */
  #items: readonly string[] | null;
  #lengths: readonly number[] = [];

  constructor(items: readonly string[]) {
    super('');
    this.#items = items;
  }

  /**
   * Each read joins the items again until the list is compact. No joined copy is kept: most bodies are written from `takeParts`,
   * and the kernel would have to provide memory for a long copy anew for each response (docs/decisions/046-new-memory.md).
   */
  override get text(): string {
    return this.#items ? joinItems(this.#items) : this.json;
  }

  get length(): number {
    return this.#items?.length ?? this.#lengths.length;
  }

  toItems(): readonly string[] {
    if (this.#items) return this.#items;
    let end = 0;
    return this.#lengths.map((length) => {
      const start = end + 1;
      end = start + length;
      return this.text.slice(start, end);
    });
  }

  /**
   * Splits the text into parts, from which a body can be encoded without one string of the whole list. A list that is not compact
   * gives up its items, and cannot be read afterwards. Objects that still refer to the list would otherwise keep the items in
   * memory until the next full garbage collection (docs/decisions/044-pages-beside-postgraphile.md).
   */
  takeParts(): string[] {
    if (!this.#items) return [this.json];
    const parts = ['[', ...this.#items.map((item, index) => (index === 0 ? item : `,${item}`)), ']'];
    this.#items = TAKEN;
    return parts;
  }

  /** Copies the items into one string, for a list that stays in memory. Uncopied items take several times as much memory. */
  compact(): void {
    if (!this.#items) return;
    this.json = `[${this.#items.join()}]`;
    this.#lengths = this.#items.map(({ length }) => length);
    this.#items = null;
  }
}

const LINE_BREAKS = /[\r\n]+/g;

/** Returns JSON as one line. JSON has line breaks only between its tokens, where a blank has the same meaning. */
export function toOneLine(json: string): string {
  return json.includes('\n') || json.includes('\r') ? json.replace(LINE_BREAKS, ' ') : json;
}

/** The longest string that `UNESCAPED` is tested on. For a longer string, the test saves little time. */
const MAX_TESTED_LENGTH = 64;

/** Matches strings that JSON does not escape. JSON escapes unpaired surrogates, so a string with a surrogate does not match. */
const UNESCAPED = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

/**
 * Works like `JSON.stringify`. A page of 50 events has about 300 short strings. For most of them, the test takes less time than a
 * call of `JSON.stringify`.
 */
export function stringToJson(text: string): string {
  return text.length <= MAX_TESTED_LENGTH && UNESCAPED.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Works like `JSON.stringify` for plain values, and writes each `JsonText` in them unchanged. */
export function toJson(value: unknown): string {
  if (typeof value === 'string') return stringToJson(value);
  if (value === null) return 'null';
  if (typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (value instanceof JsonText) return value.text;
  return Array.isArray(value) ? joinItems(value.map(toJson)) : membersToJson(value as Record<string, unknown>);
}

function membersToJson(value: Record<string, unknown>): string {
  let members = '';
  for (const name in value) {
    const member = value[name];
    if (member !== undefined) members += `${members === '' ? '' : ','}${nameToJson(name)}:${toJson(member)}`;
  }
  return `{${members}}`;
}

/** Nearly all names come from the schema. The cache has limits, because clients can invent many long names, such as aliases. */
const MAX_CACHED_NAMES = 1_000;
const MAX_CACHED_LENGTH = 64;
const cachedNames = new Map<string, string>();

function nameToJson(name: string): string {
  const cached = cachedNames.get(name);
  if (cached !== undefined) return cached;
  const json = JSON.stringify(name);
  if (cachedNames.size < MAX_CACHED_NAMES && name.length <= MAX_CACHED_LENGTH) cachedNames.set(name, json);
  return json;
}
