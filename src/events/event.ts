import { LRUCache } from 'lru-cache';
import { JsonText } from '../formats/json-text.js';
import { type EventType, toEventType } from './event-types.js';

/** A tag of an event (spec 2.3). */
export interface Tag {
  readonly type: string;
  readonly value: string;
}

/** An event as it is read from the log, with its JSON as text. */
export interface EventRow {
  readonly id: number;
  /** ISO 8601 in UTC with the microseconds that PostgreSQL keeps. */
  readonly createdAt: string;
  readonly type: string;
  readonly createdBy: string;
  readonly createdByUserId: number | null;
  readonly environment: string | null;
  readonly project: string | null;
  readonly featureName: string | null;
  readonly data: string | null;
  readonly preData: string | null;
  readonly tags: string | null;
}

/** An event of the log (spec 2.1), as a view of its row. A field that a query does not select costs nothing. */
export class Event {
  readonly #row: EventRow;

  constructor(row: EventRow) {
    this.#row = row;
  }

  get id(): number {
    return this.#row.id;
  }

  /** The number of characters of its texts, with an allowance for its other fields. */
  get textLength(): number {
    const { data, preData, tags } = this.#row;
    return 300 + (data?.length ?? 0) + (preData?.length ?? 0) + (tags?.length ?? 0);
  }

  /** The text of the row, with microseconds. */
  get createdAt(): string {
    return this.#row.createdAt;
  }

  get type(): EventType {
    return toEventType(this.#row.type);
  }

  /** The exact type, also one that spec 2.2 does not list. */
  get typeName(): string {
    return this.#row.type;
  }

  get createdBy(): string {
    return this.#row.createdBy;
  }

  get createdByUserId(): number | null {
    return this.#row.createdByUserId;
  }

  get environment(): string | null {
    return this.#row.environment;
  }

  get project(): string | null {
    return this.#row.project;
  }

  get featureName(): string | null {
    return this.#row.featureName;
  }

  get data(): JsonText | null {
    return toJsonText(this.#row.data);
  }

  get preData(): JsonText | null {
    return toJsonText(this.#row.preData);
  }

  /** The tags as stored. Newer Unleash versions add fields to a tag, such as its color. An empty list if there are none. */
  get storedTags(): JsonText {
    return new JsonText(listText(this.#row.tags));
  }

  /** The tags in the form of spec 2.3. Omits a stored tag of another form, which would otherwise fail its whole page. */
  get tags(): readonly Tag[] {
    return toTags(listText(this.#row.tags));
  }
}

function toJsonText(text: string | null): JsonText | null {
  return text === null ? null : new JsonText(text);
}

/** A value that is not a list counts as an empty list. */
function listText(text: string | null): string {
  return text?.trimStart().startsWith('[') ? text : '[]';
}

/** A log repeats a few lists of tags many times, so their parsed form is cached. */
const CACHED_TAGS = new LRUCache<string, readonly Tag[]>({ max: 1_000 });
const CACHED_UP_TO_LENGTH = 1_000;

function toTags(text: string): readonly Tag[] {
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

/** The position of an event in the order of every list: newest first, then the higher id first. */
export type EventPosition = Pick<Event, 'createdAt' | 'id'>;

/** The texts of an event that a free-text search can read. */
export type EventText = 'data' | 'preData' | 'tags';

/** Selects events. Fields are combined with AND, the values of one field with OR. An undefined field excludes nothing. */
export interface EventCriteria {
  readonly ids?: readonly number[] | undefined;
  readonly featureNames?: readonly string[] | undefined;
  readonly projects?: readonly string[] | undefined;
  readonly types?: { readonly names: readonly string[]; readonly orUnlisted: boolean } | undefined;
  readonly createdByUserIds?: readonly number[] | undefined;
  readonly environments?: readonly string[] | undefined;
  /** First UTC day, yyyy-MM-dd. */
  readonly from?: string | undefined;
  /** Last UTC day, yyyy-MM-dd. */
  readonly to?: string | undefined;
  /** A literal, matched in the stored JSON text of any part in `in`, ignoring case. */
  readonly text?: { readonly literal: string; readonly in: readonly EventText[] } | undefined;
  /** The projects that the caller can see. `any` excludes only events without a project; undefined excludes nothing. */
  readonly visibleProjects?: 'any' | readonly string[] | undefined;
}
