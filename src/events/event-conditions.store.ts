import { Prisma } from '../generated/prisma/client.js';
import type { SelectiveParts } from '../text-search/selective-part.js';
import { textCondition } from '../text-search/text-condition.store.js';
import type { EventCriteria, EventPosition } from './event.js';
import type { EventWindow } from './event-page.js';
import { EVENT_TYPES } from './event-types.js';

/** Returns the SQL condition for the criteria. A free text is looked up by its selective part (text-search/selective-part.ts). */
export async function toCondition(criteria: EventCriteria, selectiveParts: SelectiveParts): Promise<Prisma.Sql> {
  const { text } = criteria;
  if (!text) return allOf(conditionsOf(criteria));
  const alternatives = await Promise.all(
    text.in.map(async (kind) => textCondition(kind, text.literal, await selectiveParts.find(text.literal, kind))),
  );
  return allOf([...conditionsOf(criteria), Prisma.join(alternatives, ' OR ', '(', ')')]);
}

/**
 * Returns the condition for the events inside a window. Lists run from the newest to the oldest, so "after" a position means
 * older.
 * @param wrap returns the SQL to use for each value, such as a subquery that hides the value from the planner
 */
export function toWindowCondition({ after, before }: EventWindow, wrap?: (value: Prisma.Sql) => Prisma.Sql): Prisma.Sql {
  const older = after ? Prisma.sql`(created_at, id) < ${toRow(after, wrap)}` : Prisma.sql`true`;
  const newer = before ? Prisma.sql`(created_at, id) > ${toRow(before, wrap)}` : Prisma.sql`true`;
  return Prisma.sql`${older} AND ${newer}`;
}

export function toRow({ createdAt, id }: EventPosition, wrap = (value: Prisma.Sql) => value): Prisma.Sql {
  return Prisma.sql`(${wrap(Prisma.sql`${createdAt}::text::timestamptz`)}, ${wrap(Prisma.sql`${id}::int`)})`;
}

/** Returns the conditions of all criteria except the free text. */
function conditionsOf(criteria: EventCriteria): Prisma.Sql[] {
  const { types } = criteria;
  return [
    criteria.visibleProjects && projectCondition(criteria.visibleProjects),
    criteria.ids && anyNumberCondition(Prisma.sql`id`, criteria.ids),
    criteria.featureNames && oneOfCondition(Prisma.sql`feature_name`, criteria.featureNames),
    criteria.projects && oneOfCondition(Prisma.sql`project`, criteria.projects),
    types && typeCondition(types),
    criteria.createdByUserIds && anyNumberCondition(Prisma.sql`created_by_user_id`, criteria.createdByUserIds),
    criteria.createdByNames && oneOfCondition(Prisma.sql`created_by`, criteria.createdByNames),
    criteria.environments && oneOfCondition(Prisma.sql`environment`, criteria.environments),
    criteria.from && Prisma.sql`created_at >= ${criteria.from}::date::timestamp AT TIME ZONE 'UTC'`,
    criteria.to && Prisma.sql`created_at < (${criteria.to}::date + 1)::timestamp AT TIME ZONE 'UTC'`,
    criteria.since && Prisma.sql`created_at >= ${criteria.since}::text::timestamptz`,
    criteria.until && Prisma.sql`created_at < ${criteria.until}::text::timestamptz`,
  ].filter((condition) => condition instanceof Prisma.Sql);
}

function allOf(conditions: readonly Prisma.Sql[]): Prisma.Sql {
  return Prisma.join([Prisma.sql`true`, ...conditions], ' AND ');
}

/**
 * Compares a single value by `=`. Only then does PostgreSQL read an index in its order and stop at the end of the page, instead
 * of sorting everything that matches.
 */
function oneOfCondition(column: Prisma.Sql, values: readonly string[]): Prisma.Sql {
  return values.length === 1 ? Prisma.sql`${column} = ${values[0]}` : Prisma.sql`${column} = ANY(${values}::text[])`;
}

function projectCondition(projects: NonNullable<EventCriteria['visibleProjects']>): Prisma.Sql {
  return projects === 'any' ? Prisma.sql`project IS NOT NULL` : oneOfCondition(Prisma.sql`project`, projects);
}

function anyNumberCondition(column: Prisma.Sql, values: readonly number[]): Prisma.Sql {
  return values.length === 1 ? Prisma.sql`${column} = ${values[0]}::int` : Prisma.sql`${column} = ANY(${values}::int[])`;
}

function typeCondition({ names, orUnlisted }: NonNullable<EventCriteria['types']>): Prisma.Sql {
  if (!orUnlisted) return oneOfCondition(Prisma.sql`type`, names);
  // The recursive query lists the types in the log by skipping through their index. Types that `EVENT_TYPES` lacks are added to
  // `names`, so the condition is one list of types.
  return Prisma.sql`type = ANY(${names}::text[] || ARRAY(
    WITH RECURSIVE present(type) AS (
      SELECT min(type) FROM events
      UNION ALL
      SELECT (SELECT min(type) FROM events WHERE type > present.type) FROM present WHERE present.type IS NOT NULL
    )
    SELECT type FROM present WHERE type <> ALL(${[...EVENT_TYPES]}::text[])
  ))`;
}
