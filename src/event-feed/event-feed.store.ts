import type { Read } from '../database/read.js';
import { Event, type EventCriteria } from '../events/event.js';
import { selectFor } from '../events/event-columns.store.js';
import type { PageSelection } from '../events/large-pages.js';
import { readTexts } from '../events/read-texts.store.js';
import { MAX_INT } from '../formats/integer.js';
import { fromPostgresTime } from '../formats/stored-time.js';
import { Prisma } from '../generated/prisma/client.js';
import type { EpochSource } from '../log-version/epoch.store.js';
import type { FeedEnd } from './feed-end.js';
import { BEGINNING, type FeedPosition, toMark } from './feed-position.js';

/** The late events (feed-end.ts) with an id of at most `upToId`, and with a position above `after` and of at most `upTo`. */
export interface LateRange {
  readonly after: number;
  readonly upTo: number;
  readonly upToId: number;
}

/** A late event, its position among the late events, and the mark of that position (feed-position.ts). */
export interface LateEvent {
  readonly event: Event;
  readonly late: number;
  readonly lateMark: string;
}

/** The first late events of a range. */
export interface LateEvents {
  readonly lateEvents: readonly LateEvent[];
  /** Whether later events of the range were left out, because one response cannot hold them. */
  readonly isCut: boolean;
}

/** A summary of the events since an instant. */
export interface FirstSince {
  /** Whether the log has no earlier events. If so, no events are read: `id` is null and `count` is 0. */
  readonly isWholeLog: boolean;
  /** The lowest id; null without events. */
  readonly id: number | null;
  readonly count: number;
}

/** The state of the log around a position, at one moment. */
export interface FeedSurroundings {
  readonly server: string;
  /**
   * The highest published id (log-version/totals.ts). It is lower than the id of a known end only if the log was restored. For an
   * Unleash database, which has no published id, the value is the `upTo.id` of the request.
   */
  readonly published: number;
  /** The highest position that a late event has taken. It is lower than before only if the log was restored. */
  readonly taken: number;
  /** Whether the log still has the events that the marks (feed-position.ts) of the reader's position identify. */
  readonly hasPosition: boolean;
  /** The position after all events up to the requested end. */
  readonly end: FeedPosition;
}

/** The highest id and the highest late position of an end. */
interface UpTo {
  readonly id: number;
  readonly late: number;
}

const LAST: UpTo = { id: MAX_INT, late: Number.MAX_SAFE_INTEGER };

/** The queries of the feed. @param condition returns the SQL condition for criteria */
export function createFeedReads(read: Read, condition: (criteria: EventCriteria) => Promise<Prisma.Sql>, epochs: EpochSource) {
  /**
   * Reads the state of the log around a position of the feed. Callers read it after the page, to find out whether the page is of
   * the same log.
   * @param upTo the limits of the returned `end`: the highest id, and the highest position in the list of late events
   *   (log-version/epoch.store.ts)
   */
  const readSurroundings = async (position: FeedPosition, upTo: UpTo): Promise<FeedSurroundings> => {
    const [row] = (await readTexts(read, selectSurroundings(position, upTo, epochs))).rows;
    const [, server, published, taken, mark, lateMark, endId, endMark, endLate, endLateMark] = row ?? [];
    if (server == null) throw new Error('A query that returns one row returned none.');
    return {
      server,
      published: Number(published),
      taken: Number(taken),
      hasPosition: position.idMark === timeMark(mark) && position.lateMark === lateTimeMark(lateMark),
      end: {
        id: endId == null ? null : Number(endId),
        idMark: timeMark(endMark),
        late: Number(endLate ?? 0),
        lateMark: lateTimeMark(endLateMark),
      },
    };
  };
  return {
    /**
     * Returns late events that match, in the order in which they were added. A database without the gateway's triggers has none.
     */
    async listLate(
      criteria: EventCriteria,
      { after, upTo, upToId }: LateRange,
      first: number,
      { fields, size }: PageSelection,
    ): Promise<LateEvents> {
      const { list, width } = selectFor(fields);
      const query = Prisma.sql`
        SELECT ${Prisma.raw(list)}, position, added_at FROM gateway_late_event JOIN events ON id = event_id
        WHERE position > ${after}::bigint AND position <= ${upTo}::bigint AND event_id <= ${upToId}::int AND ${await condition(criteria)}
        ORDER BY position LIMIT ${first}`;
      const { rows, isCut } = await readTexts(read, query, { size, rowsInPortions: first });
      const lateEvents = rows.map((row) => ({
        event: new Event(row.slice(0, width)),
        late: Number(row[width]),
        lateMark: toMark(row[width + 1] ?? ''),
      }));
      return { lateEvents, isCut };
    },

    readSurroundings,

    /** Returns the last position that existing events have. Events that were removed may have had higher ones. */
    async readLastPosition(): Promise<FeedEnd['log']> {
      const { end } = await readSurroundings(BEGINNING, LAST);
      return { highestId: end.id ?? 0, late: end.late };
    },

    /**
     * Finds the events since an instant. If there are earlier events, PostgreSQL reads all events since the instant in an index.
     * `OFFSET 0` keeps PostgreSQL from searching for the lowest id in the order of ids, which would read all earlier events.
     */
    async findFirstSince(since: string): Promise<FirstSince> {
      const earlier = Prisma.sql`EXISTS (SELECT FROM events WHERE created_at < ${since}::text::timestamptz)`;
      const [found] = await read<FirstSince>(Prisma.sql`
        SELECT NOT ${earlier} AS "isWholeLog", min(id) AS id, count(*)::int AS count
        FROM (SELECT id FROM events WHERE created_at >= ${since}::text::timestamptz AND ${earlier} OFFSET 0) AS since`);
      if (!found) throw new Error('A query that returns one row returned none.');
      return found;
    },
  };
}

function selectSurroundings(
  { id, late, idMark, lateMark }: FeedPosition,
  upTo: UpTo,
  { columns, late: taken, isOwn }: EpochSource,
): Prisma.Sql {
  const lateColumns = isOwn
    ? Prisma.sql`
        (SELECT added_at FROM gateway_late_event WHERE position = ${late}::bigint AND ${lateMark !== ''}::boolean),
        last.id, last.created_at, late.position, late.added_at`
    : Prisma.sql`NULL, last.id, last.created_at, NULL, NULL`;
  const published = isOwn ? Prisma.sql`(SELECT last_value FROM gateway_settled_event_id)` : Prisma.sql`${upTo.id}::int`;
  const lastLate = isOwn
    ? Prisma.sql`LEFT JOIN LATERAL (
        SELECT position, added_at FROM gateway_late_event WHERE position <= ${upTo.late}::bigint ORDER BY position DESC LIMIT 1
      ) AS late ON true`
    : Prisma.empty;
  return Prisma.sql`
    SELECT head.epoch, head.server, ${published}, ${taken},
      (SELECT created_at FROM events WHERE id = ${id}::int AND ${idMark !== ''}::boolean),
      ${lateColumns}
    FROM (SELECT ${columns}) AS head
    LEFT JOIN LATERAL (
      SELECT id, created_at FROM events WHERE id <= ${upTo.id}::int ORDER BY id DESC LIMIT 1
    ) AS last ON true
    ${lastLate}`;
}

/**
 * Returns the mark of an event (feed-position.ts) from its time. The time is converted first, because the mark of an `Event` is
 * also made from the converted time.
 */
function timeMark(time: string | null | undefined): string {
  return time == null ? '' : toMark(fromPostgresTime(time));
}

function lateTimeMark(time: string | null | undefined): string {
  return time == null ? '' : toMark(time);
}
