import { JsonText } from '../json-text.js';
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

/** An event of the log (spec 2.1). */
export class Event {
  readonly id: number;
  /** As in the row. */
  readonly createdAt: string;
  /** The exact type, also one that spec 2.2 does not list. */
  readonly typeName: string;
  readonly createdBy: string;
  readonly createdByUserId: number | null;
  readonly environment: string | null;
  readonly project: string | null;
  readonly featureName: string | null;
  readonly data: JsonText | null;
  readonly preData: JsonText | null;
  /** As stored: newer servers add fields to a tag, such as its colour. An empty list if there are none. */
  readonly storedTags: JsonText;
  #tags: readonly Tag[] | null = null;

  constructor(row: EventRow) {
    this.id = row.id;
    this.createdAt = row.createdAt;
    this.typeName = row.type;
    this.createdBy = row.createdBy;
    this.createdByUserId = row.createdByUserId;
    this.environment = row.environment;
    this.project = row.project;
    this.featureName = row.featureName;
    this.data = row.data === null ? null : new JsonText(row.data);
    this.preData = row.preData === null ? null : new JsonText(row.preData);
    this.storedTags = row.tags?.trimStart().startsWith('[') ? new JsonText(row.tags) : NO_TAGS;
  }

  get type(): EventType {
    return toEventType(this.typeName);
  }

  /** The tags as spec 2.3 has them; what is stored otherwise is left out rather than failing the page it is on. */
  get tags(): readonly Tag[] {
    this.#tags ??= toTags(this.storedTags);
    return this.#tags;
  }
}

function toTags({ text }: JsonText): Tag[] {
  if (text === NO_TAGS.text) return [];
  return (JSON.parse(text) as readonly (Partial<Tag> | null)[]).flatMap((tag) =>
    typeof tag?.type === 'string' && typeof tag.value === 'string' ? [{ type: tag.type, value: tag.value }] : [],
  );
}

const NO_TAGS = new JsonText('[]');

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
  /** The projects the caller may see; undefined for all. */
  readonly visibleProjects?: readonly string[] | undefined;
}
