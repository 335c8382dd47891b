import { JsonText } from '../formats/json-text.js';
import { fromPostgresTime } from '../formats/stored-time.js';
import { createUnreadableList } from '../formats/unreadable-list.js';
import type { EventChanges } from './changes/change-list.js';
import { findChanges } from './changes/find-changes.js';
import { type EventType, toEventType } from './event-types.js';
import { type EventWeights, LEAST_EVENT } from './response-size.js';
import { type Tag, toTagList, toTags } from './tags.js';

/** An event as an import or a mirror reads and writes it, with its JSON as text. */
export interface EventRow {
  readonly id: number;
  /** The stored form of a time (formats/stored-time.ts), with milliseconds. */
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

/** The fields of a row in the order in which queries select them. Fields that few requests need are at the end. */
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

const RELEASED = createUnreadableList('The event was released after its response was written.');

/**
 * An event of the log (spec 2.1), as a view of its row. A field that a request does not select is not parsed, and may not have
 * been read.
 */
export class Event {
  #row: readonly (string | null)[];
  #changes: EventChanges | null | undefined;

  /** @param row the first values of the event in the order of `EVENT_FIELDS`, with times in UTC as PostgreSQL writes them */
  constructor(row: readonly (string | null)[]) {
    this.#row = row;
  }

  /** Drops the row, which a written response no longer needs. Afterwards, no property can be read. */
  release(): void {
    this.#row = RELEASED;
    // The changes have parts of the texts, which keep the whole texts in memory.
    this.#changes = undefined;
  }

  get id(): number {
    return Number(this.#row[ID]);
  }

  /** The number of characters of the event's texts, with an allowance for its other fields. */
  get textLength(): number {
    return LEAST_EVENT + lengthOf(this.#row[DATA]) + lengthOf(this.#row[PRE_DATA]) + lengthOf(this.#row[TAGS]);
  }

  /** The number of characters that the event takes in a response, without its `changes`. */
  lengthIn({ short, data, preData, tags }: EventWeights): number {
    return short + data * lengthOf(this.#row[DATA]) + preData * lengthOf(this.#row[PRE_DATA]) + tags * lengthOf(this.#row[TAGS]);
  }

  /** The stored form of the time (formats/stored-time.ts), with the microseconds that PostgreSQL keeps. */
  get createdAt(): string {
    return fromPostgresTime(this.#row[CREATED_AT] ?? '');
  }

  get type(): EventType {
    return toEventType(this.typeName);
  }

  /** The exact type, even if spec 2.2 does not list it. */
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

  /** The number of characters that `changes` compares; 0 unless `preData` and `data` both have a value. */
  get comparedLength(): number {
    return this.#hasTwoStates() ? lengthOf(this.#row[DATA]) + lengthOf(this.#row[PRE_DATA]) : 0;
  }

  /** The differences between `preData` and `data`; null unless both have a value. They are computed once. */
  get changes(): EventChanges | null {
    this.#changes ??= this.#hasTwoStates() ? findChanges(this.#row[PRE_DATA] ?? '', this.#row[DATA] ?? '') : null;
    return this.#changes;
  }

  #hasTwoStates(): boolean {
    return isPresent(this.#row[PRE_DATA]) && isPresent(this.#row[DATA]);
  }

  /** The tags as stored, with fields that newer Unleash versions add, such as a color. An empty list if there are none. */
  get storedTags(): JsonText {
    return new JsonText(toTagList(this.#row[TAGS]));
  }

  /** The tags in the form of spec 2.3. Omits a stored tag of another form, because it would fail the whole page. */
  get tags(): readonly Tag[] {
    return toTags(toTagList(this.#row[TAGS]));
  }
}

function lengthOf(text: string | null | undefined): number {
  return text?.length ?? 0;
}

/** Whether a column has a value. A JSON `null` counts as no value. */
function isPresent(text: string | null | undefined): boolean {
  return text != null && text.trim() !== 'null';
}

function toJsonText(text: string | null | undefined): JsonText | null {
  return text == null ? null : new JsonText(text);
}

/** The position of an event in the order of every list: newest first, and the higher id first for equal times. */
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
  /** The first day in UTC, as yyyy-MM-dd. */
  readonly from?: string | undefined;
  /** The last day in UTC, as yyyy-MM-dd. Events on this day match. */
  readonly to?: string | undefined;
  /** The first instant, as ISO 8601 in UTC. */
  readonly since?: string | undefined;
  /** The end of the range as ISO 8601 in UTC. An event at this instant does not match. */
  readonly until?: string | undefined;
  /** A literal, matched in the stored JSON text of any part in `in`, ignoring case. */
  readonly text?: { readonly literal: string; readonly in: readonly EventText[] } | undefined;
  /** The projects that the caller can see. `any` excludes only events without a project; undefined excludes nothing. */
  readonly visibleProjects?: 'any' | readonly string[] | undefined;
}
