import { Prisma } from '../generated/prisma/client.js';
import type { EventCriteria } from './event.js';
import type { EventSlice } from './event-page.js';

/*
 * Decides which queries of events are prepared statements, and which of them PostgreSQL plans once
 * (docs/decisions/035-one-plan.md). database/read.ts prepares them.
 */

/** How a query selects the events that match the criteria of a request. */
export interface EventList {
  readonly condition: Prisma.Sql;
  /**
   * Whether one query plan suits all values. This is so for the whole log and for the events of one flag. Most requests read one
   * of these lists, and planning would be most of the cost.
   *
   * PostgreSQL reuses the plan of a prepared statement only if a plan for the values of the request would not look cheaper. Each
   * value is therefore in a subquery, which hides the value from the planner.
   */
  readonly hasOnePlan: boolean;
  /** Whether the statement is prepared. If `hasOnePlan` is false, preparing it saves only the parsing. */
  readonly isPrepared: boolean;
}

export type ToCondition = (criteria: EventCriteria) => Promise<Prisma.Sql>;

/**
 * Returns the condition of the events that match, and how PostgreSQL is to plan a query that lists them.
 * @param mayHaveOnePlan false if the best plan also depends on other values of the query, such as an offset
 */
export type ToList = (criteria: EventCriteria, mayHaveOnePlan: boolean) => Promise<EventList>;

/** @param isOwn whether the database is the gateway's own, whose indexes suit the one plan */
export function createToList(condition: ToCondition, isOwn: boolean): ToList {
  return async (criteria, mayHaveOnePlan) => {
    const isPrepared = isFrequent(criteria);
    if (isPrepared && mayHaveOnePlan && isOwn) return toListWithOnePlan(criteria);
    return { condition: await condition(criteria), hasOnePlan: false, isPrepared };
  };
}

/** Whether one query plan suits all slices of this form. The best plan for an offset depends on how large the offset is. */
export function mayHaveOnePlan(slice: EventSlice): boolean {
  return !('offset' in slice) || slice.offset === 0;
}

/** Whether the criteria select the whole log or the events of one flag, as most requests do. */
function isFrequent({ featureNames, ...others }: EventCriteria): boolean {
  const isPlain = Object.values(others).every((criterion) => criterion === undefined);
  return isPlain && (featureNames === undefined || featureNames.length === 1);
}

function toListWithOnePlan({ featureNames }: EventCriteria): EventList {
  const condition = featureNames ? Prisma.sql`feature_name = ${hide(Prisma.sql`${featureNames[0]}::text`)}` : Prisma.sql`true`;
  return { condition, hasOnePlan: true, isPrepared: true };
}

/** Hides a value from the planner. */
export function hide(value: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT ${value})`;
}
