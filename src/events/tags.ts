import { LRUCache } from 'lru-cache';

/** A tag of an event (spec 2.3). */
export interface Tag {
  readonly type: string;
  readonly value: string;
}

/** Returns the JSON text of the stored tags. A value that is not a list counts as an empty list. */
export function toTagList(text: string | null | undefined): string {
  return text?.trimStart().startsWith('[') ? text : '[]';
}

/** A log repeats a few lists of tags many times, so their parsed form is cached. */
const CACHED_TAGS = new LRUCache<string, readonly Tag[]>({ max: 1_000 });
const CACHED_UP_TO_LENGTH = 1_000;

/** Returns the tags in the form of spec 2.3. Omits a stored tag of another form, because it would fail the whole page. */
export function toTags(text: string): readonly Tag[] {
  const cached = CACHED_TAGS.get(text);
  if (cached) return cached;
  const tags = parseTags(text);
  if (text.length <= CACHED_UP_TO_LENGTH) CACHED_TAGS.set(text, tags);
  return tags;
}

function parseTags(text: string): readonly Tag[] {
  return (JSON.parse(text) as readonly (Partial<Tag> | null)[]).flatMap((tag) =>
    typeof tag?.type === 'string' && typeof tag.value === 'string' ? [{ type: tag.type, value: tag.value }] : [],
  );
}
