/** The fields of an event that its sentence needs. */
export interface DescribedEvent {
  /** The type as on the wire, such as `feature-created`. */
  readonly typeName: string;
  readonly createdBy: string;
  readonly featureName?: string | null | undefined;
  readonly project?: string | null | undefined;
  readonly environment?: string | null | undefined;
  readonly data?: unknown;
  readonly preData?: unknown;
}

/** A longer value would push the rest of the sentence out of its line. */
const MAX_CHARACTERS = 60;

/** Reads a value inside of `data` or `preData`. Accepts data of any form. Undefined if the data does not have the value. */
export function read(json: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    return isObject ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
  }, json);
}

/** Returns a text or number as one line of limited length. Undefined for anything else, and for blank text. */
export function toLine(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  // Cuts the text before the replacement, because a text can have megabytes.
  const line = String(value)
    .slice(0, 10 * MAX_CHARACTERS)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const characters = [...line];
  if (characters.length === 0) return undefined;
  return characters.length > MAX_CHARACTERS ? `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…` : line;
}

/** Returns the first text or number under the keys in `data`, or else in `preData`. */
export function findValue({ data, preData }: DescribedEvent, ...keys: readonly string[]): unknown {
  const values = [data, preData].flatMap((json) => keys.map((key) => read(json, key)));
  return values.find((value) => toLine(value) !== undefined);
}

/** The value of `findValue` as one line. */
export const findLine = (event: DescribedEvent, ...keys: readonly string[]): string | undefined =>
  toLine(findValue(event, ...keys));

/** Returns the texts and numbers among the first 1,000 items of a list as lines. Empty for any other value. */
export function toLines(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.slice(0, 1_000).flatMap((item) => toLine(item) ?? []) : [];
}
