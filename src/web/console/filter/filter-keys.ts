import type { ListField, TimeField } from './console-filter.js';

/** The keys of the printed filter text. The URL uses the same keys. */
export const KEY_OF: Readonly<Record<ListField | TimeField, string>> = {
  projects: 'project',
  types: 'type',
  notTypes: '-type',
  people: 'by',
  flags: 'flag',
  environments: 'env',
  since: 'since',
  until: 'until',
};

/** The key of the free text in the URL. In the filter text, free text has no key. */
export const TEXT_KEY = 'q';

/** Aliases of the keys. The console reads aliases, but always prints the keys. */
const ALIASES: Readonly<Record<string, ListField | TimeField>> = {
  person: 'people',
  user: 'people',
  createdby: 'people',
  feature: 'flags',
  environment: 'environments',
  from: 'since',
  to: 'until',
};

const FIELD_OF: ReadonlyMap<string, ListField | TimeField> = new Map([
  ...(Object.entries(KEY_OF) as [ListField | TimeField, string][]).map(([field, key]) => [key, field] as const),
  ...Object.entries(ALIASES),
]);

/** The keys in the order in which the filter field suggests them. */
export const KEYS: readonly string[] = Object.values(KEY_OF);

/** Returns the field of a key or alias, ignoring case. */
export const findField = (key: string): ListField | TimeField | undefined => FIELD_OF.get(key.toLowerCase());

/** Returns the printed key that the user probably meant, or undefined if no key is close. */
export function suggestKey(key: string): string | undefined {
  const given = key.toLowerCase();
  const candidates = [...FIELD_OF].flatMap(([word, field]) => {
    const distance = given.length > 1 && word.startsWith(given) ? 0 : countEdits(given, word);
    return distance <= Math.max(1, Math.floor(word.length / 3)) ? [{ field, distance }] : [];
  });
  const [closest] = candidates.sort((one, other) => one.distance - other.distance);
  return closest && KEY_OF[closest.field];
}

/**
 * Returns the Levenshtein distance: the fewest letters to insert, delete or replace to turn `one` into `other`. Reads only the
 * first 20 letters of `one`.
 */
function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one.slice(0, 20)].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= other.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (other[column - 1] === letter ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
