import { Prisma, type PrismaClient } from '../generated/prisma/client.js';
import type { Event, EventCriteria, EventPosition, EventText, PositionedEvent } from './event.js';
import type { EventWindow, OffsetPage } from './event-page.js';
import { EVENT_TYPES } from './event-types.js';

export type EventStore = ReturnType<typeof createEventStore>;

/** The event log. Every query on it is built here. */
export function createEventStore(prisma: PrismaClient) {
  return {
    /** All that match, newest first. */
    async list(criteria: EventCriteria): Promise<Event[]> {
      const rows = await prisma.$queryRaw<EventRow[]>`
        SELECT ${COLUMNS} FROM events WHERE ${matching(criteria)} ORDER BY created_at DESC, id DESC`;
      return rows.map(toEvent);
    },

    async listPage(criteria: EventCriteria, { offset, limit }: OffsetPage): Promise<Event[]> {
      const rows = await prisma.$queryRaw<EventRow[]>`
        SELECT ${COLUMNS} FROM events WHERE ${matching(criteria)}
        ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`;
      return rows.map(toEvent);
    },

    /** Up to `size` events next to one end of the window, newest first. */
    async listWindow(criteria: EventCriteria, window: EventWindow): Promise<PositionedEvent[]> {
      const fromNewest = window.from === 'newest';
      const order = fromNewest ? Prisma.sql`created_at DESC, id DESC` : Prisma.sql`created_at, id`;
      const rows = await prisma.$queryRaw<(EventRow & { position: string })[]>`
        SELECT ${COLUMNS}, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS position FROM events
        WHERE ${matching(criteria)} AND ${within(window)} ORDER BY ${order} LIMIT ${window.size}`;
      const events = rows.map((row) => ({ ...toEvent(row), position: { createdAt: row.position, id: row.id } }));
      return fromNewest ? events : events.reverse();
    },

    /** Whether anything matches at a place of the order or beyond it. */
    async existsFrom(criteria: EventCriteria, position: EventPosition, direction: 'newer' | 'older'): Promise<boolean> {
      const comparison = direction === 'newer' ? Prisma.sql`>=` : Prisma.sql`<=`;
      const rows = await prisma.$queryRaw<unknown[]>`
        SELECT 1 FROM events WHERE ${matching(criteria)} AND (created_at, id) ${comparison} ${rowOf(position)} LIMIT 1`;
      return rows.length > 0;
    },

    async count(criteria: EventCriteria): Promise<number> {
      const rows = await prisma.$queryRaw<{ count: bigint }[]>`
        SELECT count(*) AS count FROM events WHERE ${matching(criteria)}`;
      return Number(rows[0]?.count ?? 0);
    },

    async find(id: number, criteria: EventCriteria): Promise<Event | null> {
      const [row] = await prisma.$queryRaw<EventRow[]>`
        SELECT ${COLUMNS} FROM events WHERE id = ${id}::int AND ${matching(criteria)}`;
      return row ? toEvent(row) : null;
    },
  };
}

interface EventRow {
  readonly id: number;
  readonly created_at: Date;
  readonly type: string;
  readonly created_by: string;
  readonly created_by_user_id: number | null;
  readonly environment: string | null;
  readonly project: string | null;
  readonly feature_name: string | null;
  readonly data: unknown;
  readonly pre_data: unknown;
  readonly tags: unknown;
}

const COLUMNS = Prisma.sql`
  id, created_at, type, created_by, created_by_user_id, environment, project, feature_name, data, pre_data, tags`;

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

function toEvent(row: EventRow): Event {
  return {
    id: row.id,
    createdAt: row.created_at,
    typeName: row.type,
    createdBy: row.created_by,
    createdByUserId: row.created_by_user_id,
    environment: row.environment,
    project: row.project,
    featureName: row.feature_name,
    data: row.data,
    preData: row.pre_data,
    storedTags: Array.isArray(row.tags) ? row.tags : [],
  };
}
