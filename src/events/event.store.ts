import type { Read } from '../database/open.js';
import { Prisma } from '../generated/prisma/client.js';
import { Event, type EventCriteria, type EventPosition, type EventRow, type EventText } from './event.js';
import type { EventWindow, OffsetPage } from './event-page.js';
import { EVENT_TYPES } from './event-types.js';

export type EventStore = ReturnType<typeof createEventStore>;

/** The event log. Every query on it is built here. */
export function createEventStore(read: Read) {
  const readEvents = async (query: Prisma.Sql) => (await read<EventRow>(query)).map((row) => new Event(row));

  return {
    /** All that match, newest first. */
    list: (criteria: EventCriteria): Promise<Event[]> =>
      readEvents(Prisma.sql`SELECT ${COLUMNS} FROM events WHERE ${matching(criteria)} ORDER BY created_at DESC, id DESC`),

    listPage: (criteria: EventCriteria, { offset, limit }: OffsetPage): Promise<Event[]> =>
      readEvents(Prisma.sql`
        SELECT ${COLUMNS} FROM events WHERE ${matching(criteria)}
        ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`),

    /** Up to `size` events next to one end of the window, newest first. */
    async listWindow(criteria: EventCriteria, window: EventWindow): Promise<Event[]> {
      const fromNewest = window.from === 'newest';
      const order = fromNewest ? Prisma.sql`created_at DESC, id DESC` : Prisma.sql`created_at, id`;
      const events = await readEvents(Prisma.sql`
        SELECT ${COLUMNS} FROM events
        WHERE ${matching(criteria)} AND ${within(window)} ORDER BY ${order} LIMIT ${window.size}`);
      return fromNewest ? events : events.reverse();
    },

    /** Whether anything matches at a place of the order or beyond it. */
    async existsFrom(criteria: EventCriteria, position: EventPosition, direction: 'newer' | 'older'): Promise<boolean> {
      const comparison = direction === 'newer' ? Prisma.sql`>=` : Prisma.sql`<=`;
      const rows = await read(Prisma.sql`
        SELECT 1 FROM events WHERE ${matching(criteria)} AND (created_at, id) ${comparison} ${rowOf(position)} LIMIT 1`);
      return rows.length > 0;
    },

    async count(criteria: EventCriteria): Promise<number> {
      const [row] = await read<{ count: number }>(Prisma.sql`
        SELECT count(*)::int AS count FROM events WHERE ${matching(criteria)}`);
      return row?.count ?? 0;
    },

    async find(id: number, criteria: EventCriteria): Promise<Event | null> {
      const [event] = await readEvents(Prisma.sql`SELECT ${COLUMNS} FROM events WHERE id = ${id}::int AND ${matching(criteria)}`);
      return event ?? null;
    },
  };
}

/** JSON as its text, times as text too: reading them costs more than finding them. */
const COLUMNS = Prisma.sql`
  id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "createdAt", type, created_by AS "createdBy",
  created_by_user_id AS "createdByUserId", environment, project, feature_name AS "featureName", data::text AS data,
  pre_data::text AS "preData", tags::text AS tags`;

const TEXT_COLUMNS: Record<EventText, Prisma.Sql> = {
  data: Prisma.sql`data::text`,
  preData: Prisma.sql`pre_data::text`,
  tags: Prisma.sql`tags::text`,
};

function matching(criteria: EventCriteria): Prisma.Sql {
  const { types, text } = criteria;
  const conditions = [
    criteria.visibleProjects && oneOf(Prisma.sql`project`, criteria.visibleProjects),
    criteria.featureNames && oneOf(Prisma.sql`feature_name`, criteria.featureNames),
    criteria.projects && oneOf(Prisma.sql`project`, criteria.projects),
    types && ofType(types),
    criteria.createdByUserIds && oneOf(Prisma.sql`created_by_user_id`, criteria.createdByUserIds),
    criteria.environments && oneOf(Prisma.sql`environment`, criteria.environments),
    criteria.from && Prisma.sql`created_at >= ${criteria.from}::date::timestamp AT TIME ZONE 'UTC'`,
    criteria.to && Prisma.sql`created_at < (${criteria.to}::date + 1)::timestamp AT TIME ZONE 'UTC'`,
    text &&
      Prisma.join(
        text.in.map((column) => Prisma.sql`${TEXT_COLUMNS[column]} ILIKE ${toPattern(text.literal)}`),
        ' OR ',
        '(',
        ')',
      ),
  ];
  return Prisma.join([Prisma.sql`true`, ...conditions.filter((condition) => condition !== undefined)], ' AND ');
}

/**
 * A single value is compared by `=`: only then does PostgreSQL read an index in its order, and stop at the end of the page, instead of
 * sorting everything that matches.
 */
function oneOf(column: Prisma.Sql, values: readonly string[] | readonly number[]): Prisma.Sql {
  if (values.length === 1) return Prisma.sql`${column} = ${values[0]}`;
  return typeof values[0] === 'number'
    ? Prisma.sql`${column} = ANY(${values}::int[])`
    : Prisma.sql`${column} = ANY(${values}::text[])`;
}

function ofType({ names, orUnlisted }: NonNullable<EventCriteria['types']>): Prisma.Sql {
  const listed = oneOf(Prisma.sql`type`, names);
  return orUnlisted ? Prisma.sql`(${listed} OR type <> ALL(${[...EVENT_TYPES]}::text[]))` : listed;
}

/** The LIKE pattern for a literal: `%`, `_` and `\` stand for themselves. */
function toPattern(literal: string): string {
  return `%${literal.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

/** In a list that runs from the newest to the oldest, "after" a place is what is older. */
function within({ after, before }: EventWindow): Prisma.Sql {
  const older = after ? Prisma.sql`(created_at, id) < ${rowOf(after)}` : Prisma.sql`true`;
  const newer = before ? Prisma.sql`(created_at, id) > ${rowOf(before)}` : Prisma.sql`true`;
  return Prisma.sql`${older} AND ${newer}`;
}

function rowOf({ createdAt, id }: EventPosition): Prisma.Sql {
  return Prisma.sql`(${createdAt}::text::timestamptz, ${id}::int)`;
}
