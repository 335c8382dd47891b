/** JSON that is passed on as text. It keeps every digit of a long number, and costs no parsing. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** A list as JSON text, which can be split into its items again without parsing. */
export class JsonList extends JsonText {
  readonly #lengths: readonly number[];

  constructor(items: readonly string[]) {
    // `join` makes one flat string. With `+`, V8 would keep a tree of all parts in memory until the response is sent, which may
    // be much later.
    super(`[${items.join()}]`);
    this.#lengths = items.map(({ length }) => length);
  }

  get length(): number {
    return this.#lengths.length;
  }

  toItems(): string[] {
    let end = 0;
    return this.#lengths.map((length) => {
      const start = end + 1;
      end = start + length;
      return this.text.slice(start, end);
    });
  }
}

const LINE_BREAKS = /[\r\n]+/g;

/** Returns JSON as one line. JSON has line breaks only between its tokens, where a blank has the same meaning. */
export function toOneLine(json: string): string {
  return json.replace(LINE_BREAKS, ' ');
}

/** Works like `JSON.stringify` for plain values, and writes each `JsonText` in them unchanged. */
export function toJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null) return 'null';
  if (typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (value instanceof JsonText) return value.text;
  return Array.isArray(value) ? listToJson(value) : membersToJson(value as Record<string, unknown>);
}

function listToJson(values: readonly unknown[]): string {
  let items = '';
  for (const value of values) items += items === '' ? toJson(value) : `,${toJson(value)}`;
  return `[${items}]`;
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
