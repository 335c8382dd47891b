import { JsonText } from '../formats/json-text.js';
import { fromPostgresTime } from '../formats/stored-time.js';
import type { EventChanges } from './changes/change-list.js';
import { findChanges } from './changes/find-changes.js';
import { type EventType, toEventType } from './event-types.js';
import { type EventWeights, LEAST_EVENT } from './response-size.js';
import { type Tag, toTagList, toTags } from './tags.js';

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

export type EventField = keyof EventRow;

/** The fields of a row in reading order. Fields that few requests ask for are at the end. */
export const EVENT_FIELDS = [
  'id',
  'createdAt',
  'type',
  'featureName',
  'createdBy',
  'project',
  'environment',
  'createdByUserId',
  'data',
  'preData',
  'tags',
] as const satisfies readonly EventField[];

const positionOf = (field: EventField) => EVENT_FIELDS.indexOf(field);
const ID = positionOf('id');
const CREATED_AT = positionOf('createdAt');
const TYPE = positionOf('type');
const FEATURE_NAME = positionOf('featureName');
const CREATED_BY = positionOf('createdBy');
const PROJECT = positionOf('project');
const ENVIRONMENT = positionOf('environment');
const CREATED_BY_USER_ID = positionOf('createdByUserId');
const DATA = positionOf('data');
const PRE_DATA = positionOf('preData');
const TAGS = positionOf('tags');

/** An event of the log (spec 2.1), as a view of its row. A field that a query does not select costs nothing, and may not have been read. */
export class Event {
  readonly #row: readonly (string | null)[];
  #changes: EventChanges | null | undefined;

  /** @param row the first columns of the event, with times in UTC */
  constructor(row: readonly (string | null)[]) {
    this.#row = row;
  }

  get id(): number {
    return Number(this.#row[ID]);
  }

  /** The number of characters of its texts, with an allowance for its other fields. */
  get textLength(): number {
    return LEAST_EVENT + lengthOf(this.#row[DATA]) + lengthOf(this.#row[PRE_DATA]) + lengthOf(this.#row[TAGS]);
  }

  /** The number of characters that it takes in a response. */
  lengthIn({ short, data, preData, tags }: EventWeights): number {
    return short + data * lengthOf(this.#row[DATA]) + preData * lengthOf(this.#row[PRE_DATA]) + tags * lengthOf(this.#row[TAGS]);
  }

  /** ISO 8601 in UTC with the microseconds that PostgreSQL keeps, see formats/stored-time.ts. */
  get createdAt(): string {
    return fromPostgresTime(this.#row[CREATED_AT] ?? '');
  }

  get type(): EventType {
    return toEventType(this.typeName);
  }

  /** The exact type, also one that spec 2.2 does not list. */
  get typeName(): string {
    return this.#row[TYPE] ?? '';
  }

  get createdBy(): string | null {
    return this.#row[CREATED_BY] ?? null;
  }

  get createdByUserId(): number | null {
    const id = this.#row[CREATED_BY_USER_ID] ?? null;
    return id === null ? null : Number(id);
  }

  get environment(): string | null {
    return this.#row[ENVIRONMENT] ?? null;
  }

  get project(): string | null {
    return this.#row[PROJECT] ?? null;
  }

  get featureName(): string | null {
    return this.#row[FEATURE_NAME] ?? null;
  }

  get data(): JsonText | null {
    return toJsonText(this.#row[DATA]);
  }

  get preData(): JsonText | null {
    return toJsonText(this.#row[PRE_DATA]);
  }

  /** The characters that `changes` compares: none unless there are two states. */
  get comparedLength(): number {
    return this.#hasTwoStates() ? lengthOf(this.#row[DATA]) + lengthOf(this.#row[PRE_DATA]) : 0;
  }

  /** The differences between `preData` and `data`; null unless both are there. They are computed once. */
  get changes(): EventChanges | null {
    this.#changes ??= this.#hasTwoStates() ? findChanges(this.#row[PRE_DATA] ?? '', this.#row[DATA] ?? '') : null;
    return this.#changes;
  }

  #hasTwoStates(): boolean {
    return isPresent(this.#row[PRE_DATA]) && isPresent(this.#row[DATA]);
  }

  /** The tags as stored. Newer Unleash versions add fields to a tag, such as its color. An empty list if there are none. */
  get storedTags(): JsonText {
    return new JsonText(toTagList(this.#row[TAGS]));
  }

  /** The tags in the form of spec 2.3. Omits a stored tag of another form, which would otherwise fail its whole page. */
  get tags(): readonly Tag[] {
    return toTags(toTagList(this.#row[TAGS]));
  }
}

function lengthOf(text: string | null | undefined): number {
  return text?.length ?? 0;
}

/** A stored JSON null reads as null, like a value that is not stored. */
function isPresent(text: string | null | undefined): boolean {
  return text != null && text.trim() !== 'null';
}

function toJsonText(text: string | null | undefined): JsonText | null {
  return text == null ? null : new JsonText(text);
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
  readonly createdByNames?: readonly string[] | undefined;
  readonly environments?: readonly string[] | undefined;
  /** First UTC day, yyyy-MM-dd. */
  readonly from?: string | undefined;
  /** Last UTC day, yyyy-MM-dd. */
  readonly to?: string | undefined;
  /** The first instant, as ISO 8601 in UTC. */
  readonly since?: string | undefined;
  /** The instant that ends the range and is not part of it, as ISO 8601 in UTC. */
  readonly until?: string | undefined;
  /** A literal, matched in the stored JSON text of any part in `in`, ignoring case. */
  readonly text?: { readonly literal: string; readonly in: readonly EventText[] } | undefined;
  /** The projects that the caller can see. `any` excludes only events without a project; undefined excludes nothing. */
  readonly visibleProjects?: 'any' | readonly string[] | undefined;
}
