/** A tag of an event (spec 2.3). */
export interface Tag {
  readonly type: string;
  readonly value: string;
}

/** An event as the log holds it (spec 2.1). */
export interface Event {
  readonly id: number;
  readonly createdAt: Date;
  /** The exact type, also one that spec 2.2 does not list. */
  readonly typeName: string;
  readonly createdBy: string;
  readonly createdByUserId: number | null;
  readonly environment: string | null;
  readonly project: string | null;
  readonly featureName: string | null;
  readonly data: unknown;
  readonly preData: unknown;
  /** As stored: newer servers add fields to a tag, such as its colour. Empty if there are none. */
  readonly storedTags: readonly unknown[];
}

/** The tags of an event as spec 2.3 has them; what is stored otherwise is left out rather than failing the page it is on. */
export function toTags({ storedTags }: Event): Tag[] {
  return (storedTags as readonly (Partial<Tag> | null)[]).flatMap((tag) =>
    typeof tag?.type === 'string' && typeof tag.value === 'string' ? [{ type: tag.type, value: tag.value }] : [],
  );
}

/** An event's place in the order of every list: newest first, ties by the higher id. */
export interface EventPosition {
  /** ISO 8601 in UTC with the microseconds that PostgreSQL keeps. */
  readonly createdAt: string;
  readonly id: number;
}

export interface PositionedEvent extends Event {
  readonly position: EventPosition;
}

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
