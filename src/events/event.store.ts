import type { Read } from '../database/open.js';
import { Prisma } from '../generated/prisma/client.js';
import { Event, type EventCriteria, type EventPosition, type EventRow, type EventText } from './event.js';
import type { EventWindow, OffsetPage } from './event-page.js';
import { EVENT_TYPES } from './event-types.js';

export type EventStore = ReturnType<typeof createEventStore>;

/** The event log. Every query on it is built here. */
export function createEventStore(read: Read) {
  const readEvents = async (query: Prisma.Sql, kind?: 'prepared') =>
    (await read<EventRow>(query, kind)).map((row) => new Event(row));

  return {
    /** All that match, newest first. */
    list: (criteria: EventCriteria): Promise<Event[]> =>
      readEvents(Prisma.sql`SELECT ${COLUMNS} FROM events WHERE ${matching(criteria)} ${NEWEST_FIRST}`, planOf(criteria)),

    listPage: (criteria: EventCriteria, page: OffsetPage): Promise<Event[]> =>
      readEvents(listing(criteria, page), planOf(criteria)),

    /** Up to `size` events next to one end of the window, newest first. */
    async listWindow(criteria: EventCriteria, window: EventWindow): Promise<Event[]> {
      const fromNewest = window.from === 'newest';
      const order = fromNewest ? Prisma.sql`created_at DESC, id DESC` : Prisma.sql`created_at, id`;
      const events = await readEvents(
        Prisma.sql`
        SELECT ${COLUMNS} FROM events
        WHERE ${matching(criteria)} AND ${within(window)} ORDER BY ${order} LIMIT ${window.size}`,
        planOf(criteria),
      );
      return fromNewest ? events : events.reverse();
    },

    /** Whether anything matches at a place of the order or beyond it. */
    async existsFrom(criteria: EventCriteria, position: EventPosition, direction: 'newer' | 'older'): Promise<boolean> {
      const comparison = direction === 'newer' ? Prisma.sql`>=` : Prisma.sql`<=`;
      const rows = await read(Prisma.sql`
        SELECT 1 FROM events WHERE ${matching(criteria)} AND (created_at, id) ${comparison} ${rowOf(position)} LIMIT 1`);
      return rows.length > 0;
    },

    /** The log's epoch, and how many match in it above the id `after`: up to the id `upTo`, and newer than that. */
    async count(criteria: EventCriteria, after: number | null, upTo: number): Promise<EpochCount> {
      return first(await read<EpochCount>(counting(criteria, after, upTo)));
    },

    /** What `count` tells, and the page, both at one moment. */
    async countAndListPage(
      criteria: EventCriteria,
      page: OffsetPage,
      after: number | null,
      upTo: number,
    ): Promise<EpochCount & { readonly events: readonly Event[] }> {
      const rows = await read<EpochCount & (EventRow | { readonly id: null })>(Prisma.sql`
        SELECT counted.*, page.* FROM (${counting(criteria, after, upTo)}) AS counted LEFT JOIN (${listing(criteria, page)}) AS page ON true
        ORDER BY page."createdAt" DESC, page.id DESC`);
      const events = rows.flatMap((row) => (row.id === null ? [] : [new Event(row)]));
      return { ...first(rows), events };
    },

    async countSettled(criteria: EventCriteria, upTo: number): Promise<{ epoch: string; count: number }> {
      return first(
        await read<{ epoch: string; count: number }>(Prisma.sql`
          SELECT ${EPOCH} AS epoch, count(*)::int AS count FROM events WHERE ${matching(criteria)} AND id <= ${upTo}::int`),
      );
    },

    /** 0 for an empty log. */
    async findHighestId(): Promise<number> {
      return first(await read<{ id: number }>(Prisma.sql`SELECT coalesce(max(id), 0) AS id FROM events`)).id;
    },

    /** From now on, whoever adds an event of an id up to this one changes the epoch. */
    async publishSettled(upTo: number): Promise<void> {
      await read(Prisma.sql`SELECT gateway_settle_events(${upTo}::int)`);
    },

    /** The transactions that have written to the log, or are about to, and have not ended. */
    async findWriters(): Promise<string[]> {
      const rows = await read<{ writer: string }>(Prisma.sql`
        SELECT virtualtransaction AS writer FROM pg_locks
        WHERE locktype = 'relation' AND relation = 'events'::regclass AND mode = 'RowExclusiveLock'
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
      return rows.map(({ writer }) => writer);
    },

    async find(id: number, criteria: EventCriteria): Promise<Event | null> {
      const [event] = await readEvents(Prisma.sql`SELECT ${COLUMNS} FROM events WHERE id = ${id}::int AND ${matching(criteria)}`);
      return event ?? null;
    },
  };
}

export interface EpochCount {
  readonly epoch: string;
  readonly between: number;
  readonly newer: number;
}

function first<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('A query that gives one row gave none.');
  return row;
}

/**
 * Then which server it is, since when, and which table: after a failover or a restored backup, what was published before may not be there.
 */
const EPOCH = Prisma.sql`(
  SELECT epoch || ' ' || extract(epoch FROM pg_postmaster_start_time()) || '/' || 'gateway_event_log'::regclass::oid FROM gateway_event_log)`;

function counting(criteria: EventCriteria, after: number | null, upTo: number): Prisma.Sql {
  const beyond = after === null ? Prisma.sql`true` : Prisma.sql`id > ${after}::int`;
  return Prisma.sql`
    SELECT ${EPOCH} AS epoch, count(*) FILTER (WHERE id <= ${upTo}::int)::int AS between,
      count(*) FILTER (WHERE id > ${upTo}::int)::int AS newer
    FROM events WHERE ${matching(criteria)} AND ${beyond}`;
}

/** JSON as its text, times as text too: reading them costs more than finding them. */
const COLUMNS = Prisma.sql`
  id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "createdAt", type, created_by AS "createdBy",
  created_by_user_id AS "createdByUserId", environment, project, feature_name AS "featureName", data::text AS data,
  pre_data::text AS "preData", tags::text AS tags`;

const NEWEST_FIRST = Prisma.sql`ORDER BY created_at DESC, id DESC`;

function listing(criteria: EventCriteria, { offset, limit }: OffsetPage): Prisma.Sql {
  if (offset === 0) return Prisma.sql`SELECT ${COLUMNS} FROM events WHERE ${matching(criteria)} ${NEWEST_FIRST} LIMIT ${limit}`;
  // What is skipped is skipped in the index, without its rows.
  return Prisma.sql`
    SELECT ${COLUMNS} FROM events
    WHERE id IN (SELECT id FROM events WHERE ${matching(criteria)} ${NEWEST_FIRST} LIMIT ${limit} OFFSET ${offset}) ${NEWEST_FIRST}`;
}

const TEXT_COLUMNS: Record<EventText, Prisma.Sql> = {
  data: Prisma.sql`data::text`,
  preData: Prisma.sql`pre_data::text`,
  tags: Prisma.sql`tags::text`,
};

/** A page of the whole log or of one flag is read from its index whatever the values are: the most frequent reads, whose planning would cost most of them. */
function planOf({ featureNames, ...others }: EventCriteria): 'prepared' | undefined {
  const isPlain = Object.values(others).every((criterion) => criterion === undefined);
  return isPlain && (featureNames === undefined || featureNames.length === 1) ? 'prepared' : undefined;
}

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
  if (!orUnlisted) return oneOf(Prisma.sql`type`, names);
  // Which types there are is found by skipping through their index; then they are compared like listed ones.
  return Prisma.sql`type = ANY(${names}::text[] || ARRAY(
    WITH RECURSIVE present(type) AS (
      SELECT min(type) FROM events
      UNION ALL
      SELECT (SELECT min(type) FROM events WHERE type > present.type) FROM present WHERE present.type IS NOT NULL
    )
    SELECT type FROM present WHERE type <> ALL(${[...EVENT_TYPES]}::text[])
  ))`;
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
