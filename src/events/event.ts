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

/** An event of the log (spec 2.1), as a view of its row: what is not asked for costs nothing. */
export class Event {
  readonly #row: EventRow;

  constructor(row: EventRow) {
    this.#row = row;
  }

  get id(): number {
    return this.#row.id;
  }

  /** As in the row. */
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

  /** As stored: newer servers add fields to a tag, such as its colour. An empty list if there are none. */
  get storedTags(): JsonText {
    return new JsonText(listText(this.#row.tags));
  }

  /** The tags as spec 2.3 has them; what is stored otherwise is left out rather than failing the page it is on. */
  get tags(): readonly Tag[] {
    return toTags(listText(this.#row.tags));
  }
}

function toJsonText(text: string | null): JsonText | null {
  return text === null ? null : new JsonText(text);
}

/** What is no list counts as an empty one. */
function listText(text: string | null): string {
  return text?.trimStart().startsWith('[') ? text : '[]';
}

/** A log has few lists of tags, each many times. */
const KNOWN_TAGS = new LRUCache<string, readonly Tag[]>({ max: 1_000 });
const KNOWN_UP_TO_LENGTH = 1_000;

function toTags(text: string): readonly Tag[] {
  const known = KNOWN_TAGS.get(text);
  if (known) return known;
  const tags = parseTags(text);
  if (text.length <= KNOWN_UP_TO_LENGTH) KNOWN_TAGS.set(text, tags);
  return tags;
}

function parseTags(text: string): readonly Tag[] {
  return (JSON.parse(text) as readonly (Partial<Tag> | null)[]).flatMap((tag) =>
    typeof tag?.type === 'string' && typeof tag.value === 'string' ? [{ type: tag.type, value: tag.value }] : [],
  );
}

/** An event's place in the order of every list: newest first, ties by the higher id. */
export type EventPosition = Pick<Event, 'createdAt' | 'id'>;

/** The texts of an event that free text is looked for in. */
export type EventText = 'data' | 'preData' | 'tags';

/** Which events are meant. Fields are joined by AND, the values of one field by OR; what is undefined excludes nothing. */
export interface EventCriteria {
  readonly featureNames?: readonly string[] | undefined;
  readonly projects?: readonly string[] | undefined;
  readonly types?: { readonly names: readonly string[]; readonly orUnlisted: boolean } | undefined;
  readonly createdByUserIds?: readonly number[] | undefined;
  readonly environments?: readonly string[] | undefined;
  /** First UTC day, yyyy-MM-dd. */
  readonly from?: string | undefined;
  /** Last UTC day, yyyy-MM-dd. */
  readonly to?: string | undefined;
  /** A literal, matched without regard to case in the stored JSON text of any of `in`. */
  readonly text?: { readonly literal: string; readonly in: readonly EventText[] } | undefined;
  /** The projects the caller may see; `any` leaves out only what has none, undefined nothing. */
  readonly visibleProjects?: 'any' | readonly string[] | undefined;
}
