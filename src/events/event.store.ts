import type { Read } from '../database/read.js';
import { Prisma } from '../generated/prisma/client.js';
import { Event, type EventCriteria, type EventPosition, type EventRow, type EventText } from './event.js';
import type { EventWindow, OffsetPage } from './event-page.js';
import { EVENT_TYPES } from './event-types.js';
import { type EpochCount, type LogEpochs, OWN_LOG } from '../log-version/epoch.store.js';
import { createSelectiveParts, type SelectiveParts } from '../text-search/selective-part.js';
import { readTextSample } from '../text-search/text-sample.store.js';

export type EventStore = ReturnType<typeof createEventStore>;
export type EventReads = ReturnType<typeof createReads>;

/** The event log. Every query on it is built here. */
export function createEventStore(read: Read, epochs = OWN_LOG) {
  const selectiveParts = createSelectiveParts(() => readTextSample(read));
  const bind = (signal?: AbortSignal) =>
    createReads(signal ? (query, kind) => read(query, kind, signal) : read, epochs, selectiveParts);
  /** `withSignal` gives the same reads, which the database gives up once the signal is aborted. */
  return { ...bind(), withSignal: bind };
}

function createReads(read: Read, epochs: LogEpochs, selectiveParts: SelectiveParts) {
  const matching = async (criteria: EventCriteria): Promise<Prisma.Sql> => {
    const { text } = criteria;
    if (!text) return allOf(conditionsOf(criteria));
    const alternatives = await Promise.all(
      text.in.map(async (kind) => containing(kind, text.literal, await selectiveParts.find(text.literal, kind))),
    );
    return allOf([...conditionsOf(criteria), Prisma.join(alternatives, ' OR ', '(', ')')]);
  };
  const readEvents = async (query: Prisma.Sql, kind?: 'prepared') =>
    (await read<EventRow>(query, kind)).map((row) => new Event(row));
  /** One row of `head` and the events of a page, from one statement: at one moment. */
  const readBeside = async <Head>(head: Prisma.Sql, page: Prisma.Sql): Promise<Head & { readonly events: readonly Event[] }> => {
    const rows = await read<Head & (EventRow | { readonly id: null })>(Prisma.sql`
      SELECT head.*, page.* FROM (${head}) AS head LEFT JOIN (${page}) AS page ON true ORDER BY page."createdAt" DESC, page.id DESC`);
    const events = rows.flatMap((row) => (row.id === null ? [] : [new Event(row)]));
    return { ...first(rows), events };
  };

  return {
    /** All that match, newest first. */
    list: async (criteria: EventCriteria): Promise<Event[]> =>
      readEvents(Prisma.sql`SELECT ${COLUMNS} FROM events WHERE ${await matching(criteria)} ${NEWEST_FIRST}`, planOf(criteria)),

    listPage: async (criteria: EventCriteria, page: OffsetPage): Promise<Event[]> =>
      readEvents(listing(await matching(criteria), page), planOf(criteria)),

    /** Up to `size` events next to one end of the window, newest first. */
    async listWindow(criteria: EventCriteria, window: EventWindow): Promise<Event[]> {
      const fromNewest = window.from === 'newest';
      const order = fromNewest ? Prisma.sql`created_at DESC, id DESC` : Prisma.sql`created_at, id`;
      const events = await readEvents(
        Prisma.sql`
        SELECT ${COLUMNS} FROM events
        WHERE ${await matching(criteria)} AND ${within(window)} ORDER BY ${order} LIMIT ${window.size}`,
        planOf(criteria),
      );
      return fromNewest ? events : events.reverse();
    },

    /** Whether anything matches at a place of the order or beyond it. */
    async existsFrom(criteria: EventCriteria, position: EventPosition, direction: 'newer' | 'older'): Promise<boolean> {
      const comparison = direction === 'newer' ? Prisma.sql`>=` : Prisma.sql`<=`;
      const rows = await read(Prisma.sql`
        SELECT 1 FROM events WHERE ${await matching(criteria)} AND (created_at, id) ${comparison} ${rowOf(position)} LIMIT 1`);
      return rows.length > 0;
    },

    /** The log's epoch, and how many match in it above the id `after`: up to the id `upTo`, and newer than that. */
    async count(criteria: EventCriteria, after: number | null, upTo: number): Promise<EpochCount> {
      return first(await read<EpochCount>(counting(epochs.current, await matching(criteria), after, upTo)));
    },

    /** What `count` tells, and the page, both at one moment. */
    async countAndListPage(
      criteria: EventCriteria,
      page: OffsetPage,
      after: number | null,
      upTo: number,
    ): Promise<EpochCount & { readonly events: readonly Event[] }> {
      const matches = await matching(criteria);
      return readBeside<EpochCount>(counting(epochs.current, matches, after, upTo), listing(matches, page));
    },

    /** The log's epoch, and a page, both at one moment. */
    async listPageInEpoch(
      criteria: EventCriteria,
      page: OffsetPage,
    ): Promise<{ readonly epoch: string; readonly events: readonly Event[] }> {
      return readBeside<{ epoch: string }>(
        Prisma.sql`SELECT ${epochs.current} AS epoch`,
        listing(await matching(criteria), page),
      );
    },

    async countUpTo(criteria: EventCriteria, upTo: number): Promise<{ epoch: string; count: number }> {
      // The epoch first: what changes meanwhile is counted or not, and has another epoch either way.
      const { epoch } = first(await read<{ epoch: string }>(Prisma.sql`SELECT ${epochs.current} AS epoch`));
      const counted = first(
        await read<{ epoch: string; count: number }>(Prisma.sql`
          SELECT ${epochs.current} AS epoch, count(*)::int AS count FROM events WHERE ${await matching(criteria)} AND id <= ${upTo}::int`),
      );
      // A replica that has ended the query in favour of its changes may be behind the primary, which then has counted.
      return { epoch: counted.epoch === epoch ? epoch : `not in one epoch ${epoch.split(' ')[1]}`, count: counted.count };
    },

    /** 0 for an empty log. */
    async findHighestId(): Promise<number> {
      return first(await read<{ id: number }>(Prisma.sql`SELECT coalesce(max(id), 0) AS id FROM events`)).id;
    },

    /** As far as the database can tell: from now on, whoever adds an event of an id up to this one changes the epoch. @returns the epoch */
    async publishWatermark(upTo: number): Promise<string> {
      return first(await read<{ epoch: string }>(epochs.publish(upTo))).epoch;
    },

    /** The transactions that have written to the log, or are about to, and have not ended. A standby cannot tell, and names one that never ends. */
    async findWriters(): Promise<string[]> {
      const rows = await read<{ writer: string }>(Prisma.sql`
        SELECT virtualtransaction AS writer FROM pg_locks
        WHERE locktype = 'relation' AND relation = 'events'::regclass AND mode = 'RowExclusiveLock'
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        UNION ALL SELECT 'standby' WHERE pg_is_in_recovery()`);
      return rows.map(({ writer }) => writer);
    },

    async find(id: number, criteria: EventCriteria): Promise<Event | null> {
      const [event] = await readEvents(
        Prisma.sql`SELECT ${COLUMNS} FROM events WHERE id = ${id}::int AND ${await matching(criteria)}`,
      );
      return event ?? null;
    },
  };
}

function first<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('A query that gives one row gave none.');
  return row;
}

function counting(epoch: Prisma.Sql, matches: Prisma.Sql, after: number | null, upTo: number): Prisma.Sql {
  const beyond = after === null ? Prisma.sql`true` : Prisma.sql`id > ${after}::int`;
  return Prisma.sql`
    SELECT ${epoch} AS epoch, count(*) FILTER (WHERE id <= ${upTo}::int)::int AS between,
      count(*) FILTER (WHERE id > ${upTo}::int)::int AS newer
    FROM events WHERE ${matches} AND ${beyond}`;
}

/** JSON as its text, times as text too: reading them costs more than finding them. */
const COLUMNS = Prisma.sql`
  id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "createdAt", type, created_by AS "createdBy",
  created_by_user_id AS "createdByUserId", environment, project, feature_name AS "featureName", data::text AS data,
  pre_data::text AS "preData", tags::text AS tags`;

const NEWEST_FIRST = Prisma.sql`ORDER BY created_at DESC, id DESC`;

function listing(matches: Prisma.Sql, { offset, limit }: OffsetPage): Prisma.Sql {
  if (offset === 0) return Prisma.sql`SELECT ${COLUMNS} FROM events WHERE ${matches} ${NEWEST_FIRST} LIMIT ${limit}`;
  // What is skipped is skipped in the index, without its rows.
  return Prisma.sql`
    SELECT ${COLUMNS} FROM events
    WHERE id IN (SELECT id FROM events WHERE ${matches} ${NEWEST_FIRST} LIMIT ${limit} OFFSET ${offset}) ${NEWEST_FIRST}`;
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

/** All but the free text. */
function conditionsOf(criteria: EventCriteria): Prisma.Sql[] {
  const { types } = criteria;
  return [
    criteria.visibleProjects && ofVisible(criteria.visibleProjects),
    criteria.featureNames && oneOf(Prisma.sql`feature_name`, criteria.featureNames),
    criteria.projects && oneOf(Prisma.sql`project`, criteria.projects),
    types && ofType(types),
    criteria.createdByUserIds && byOneOf(criteria.createdByUserIds),
    criteria.environments && oneOf(Prisma.sql`environment`, criteria.environments),
    criteria.from && Prisma.sql`created_at >= ${criteria.from}::date::timestamp AT TIME ZONE 'UTC'`,
    criteria.to && Prisma.sql`created_at < (${criteria.to}::date + 1)::timestamp AT TIME ZONE 'UTC'`,
  ].filter((condition) => condition instanceof Prisma.Sql);
}

function allOf(conditions: readonly Prisma.Sql[]): Prisma.Sql {
  return Prisma.join([Prisma.sql`true`, ...conditions], ' AND ');
}

/** Looked up by its rare part, the literal is compared in an expression that no index has: they would be searched for all of it again. */
function containing(kind: EventText, literal: string, selectivePart: string | null): Prisma.Sql {
  const column = TEXT_COLUMNS[kind];
  if (selectivePart === null) return Prisma.sql`${column} ILIKE ${toPattern(literal)}`;
  return Prisma.sql`(${column} ILIKE ${toPattern(selectivePart)} AND ${column} || '' ILIKE ${toPattern(literal)})`;
}

/**
 * A single value is compared by `=`: only then does PostgreSQL read an index in its order, and stop at the end of the page, instead of
 * sorting everything that matches.
 */
function oneOf(column: Prisma.Sql, values: readonly string[]): Prisma.Sql {
  return values.length === 1 ? Prisma.sql`${column} = ${values[0]}` : Prisma.sql`${column} = ANY(${values}::text[])`;
}

function ofVisible(projects: NonNullable<EventCriteria['visibleProjects']>): Prisma.Sql {
  return projects === 'any' ? Prisma.sql`project IS NOT NULL` : oneOf(Prisma.sql`project`, projects);
}

function byOneOf(userIds: readonly number[]): Prisma.Sql {
  return userIds.length === 1
    ? Prisma.sql`created_by_user_id = ${userIds[0]}::int`
    : Prisma.sql`created_by_user_id = ANY(${userIds}::int[])`;
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
