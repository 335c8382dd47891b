import type { Epoch } from './epoch.store.js';
import { CACHED_SEQUENCE, type createWatermarkStore, type LogEnd, STANDBY } from './watermark.store.js';

export type WatermarkLog = ReturnType<typeof createWatermarkStore>;

/** The shortest time between two advances of the watermark. Each total counts the events above it, which are few by then. */
export const WATERMARK_EVERY_MS = 1_000;

/**
 * Each advance of the watermark reads the highest id of the log. The gateway uses this id for this many intervals. The next advance
 * has normally ended by then.
 */
const RECENT_INTERVALS = 3;

/**
 * The prefix of `virtualtransaction` in `pg_locks` for every prepared transaction. PREPARE TRANSACTION replaces the
 * `virtualtransaction` of a writer, so any prepared transaction may be a writer that was listed under another value.
 */
const PREPARED = '-1/';

/** Stands for writers that cannot be listed. Because of its prefix, no watermark is confirmed while this entry is in the list. */
export const UNKNOWN_WRITERS = `${PREPARED}unknown`;

/** A watermark, and the epoch in which it was published. It is not valid on another server or in a later epoch. */
export interface Watermark extends Epoch {
  readonly upTo: number;
  /** No late event (epoch.store.ts) can be added at or below this position any more. New late events get higher positions. */
  readonly late: number;
}

/**
 * Why there is no higher watermark: the database accepts no changes, it is a standby that cannot list the writers of its primary,
 * its sequence has a cache, or transactions that have written to the log are open.
 */
export type WatermarkObstacle = 'unwritable' | 'standby' | 'cached sequence' | 'writers';

export type LogWatermark = ReturnType<typeof createWatermark>;

/** A published id, and the transactions that have to end before the id becomes a watermark. */
interface Attempt {
  readonly watermark: Watermark;
  readonly writers: readonly string[];
  /** When it was published, as `performance.now()`. */
  readonly since: number;
}

/**
 * Finds the watermark of the log: an id at or below which no event can be added any more without a new epoch.
 *
 * First an id is published. From then on, the database starts a new epoch when an event is added at or below it. Transactions
 * that wrote before the publication (`findWriters` in watermark.store.ts) may still add such events unnoticed, so the id becomes a
 * watermark once all of them have ended. Then the late events (epoch.store.ts) are complete, too, up to the position that the
 * publication reported.
 */
export function createWatermark(log: WatermarkLog, everyMs: number) {
  let current: Watermark | null = null;
  const end = createLogEnd(log);
  let candidate = { highestId: 0, late: 0 };
  let published: Attempt | null = null;
  let running: Promise<void> | null = null;
  let lastRun = Number.NEGATIVE_INFINITY;

  const confirm = async (): Promise<void> => {
    const attempt = published;
    if (attempt && (await hasEnded(log, attempt)) && published === attempt) [current, published] = [attempt.watermark, null];
  };

  const move = async (): Promise<void> => {
    await confirm();
    // Only the first run publishes the id that it reads itself. A later run publishes the id of the run before: writers that held
    // a lower id have normally committed by then, so no new epoch starts.
    if (!current && candidate.highestId === 0) candidate = await end.read();
    const upTo = Math.max(candidate.highestId, current?.upTo ?? 0);
    if (!published && (!current || upTo > current.upTo || candidate.late > current.late)) {
      published = await publish(log, upTo);
      await confirm();
    }
    candidate = await end.read();
  };

  const start = (): Promise<void> => {
    lastRun = performance.now();
    return move().finally(() => {
      running = null;
    });
  };

  /**
   * Advances the watermark if an advance is due. Waits for the advance only while there is no watermark, or with `soonerMs`.
   * @param soonerMs a shorter time between two advances than `everyMs`
   */
  const advance = async (soonerMs?: number): Promise<void> => {
    if (!running && performance.now() - lastRun >= (soonerMs ?? everyMs)) running = start();
    if (!current || soonerMs !== undefined) await running;
    // Ignores a failure of the advance, because the queries of the request then fail, too.
    else running?.catch(() => undefined);
  };

  return {
    /** Returns the highest id of the log a moment ago, or infinity if it was read too long ago. */
    findHighestId: () => end.findRecentId(everyMs * RECENT_INTERVALS),

    /** The watermark; null until the first one is confirmed. */
    get current() {
      return current;
    },

    /** The time (`performance.now()`) since which open transactions have delayed the next watermark; null if none do. */
    get heldSince() {
      return published?.since ?? null;
    },

    /** Why there is no higher watermark, if one was due. */
    findObstacle: () => toObstacle(published?.writers),
    /**
     * Publishes an id again after another epoch was found, because a restore may have set the published id back. If the `server`
     * is the same, the function publishes the id of `known`. Open transactions may hold ids above that id, and their events would
     * start yet another epoch if a higher id were published. If the `server` is another one, events below the watermark may be
     * missing, so the function publishes the highest id of the log.
     * @param found null if the log lacks events below the watermark. The function then does the same as for another server
     */
    async renew(known: Watermark, found: Epoch | null): Promise<void> {
      if (current === known) {
        current = published = null;
        candidate = { highestId: found?.server === known.server ? known.upTo : 0, late: 0 };
        lastRun = Number.NEGATIVE_INFINITY;
      }
      await advance();
    },
    advance,
  };
}

/** Publishes an id. Returns null if that fails, as in a read-only database. Totals without a watermark are counted in full. */
async function publish(log: WatermarkLog, upTo: number): Promise<Attempt | null> {
  const state = await log.publishCandidate(upTo).catch(() => undefined);
  if (!state) return null;
  const { epoch, server, late } = state;
  return { watermark: { upTo, epoch, server, late }, writers: await log.findWriters(), since: performance.now() };
}

/** Whether all transactions that had written before the publication have ended. */
async function hasEnded(log: WatermarkLog, { writers }: Attempt): Promise<boolean> {
  const open = writers.length > 0 ? await log.findWriters() : [];
  return !open.some((writer) => writers.includes(writer) || writer.startsWith(PREPARED));
}

function createLogEnd({ readEnd }: WatermarkLog) {
  let last = { id: Number.POSITIVE_INFINITY, readAt: Number.NEGATIVE_INFINITY };
  return {
    async read(): Promise<LogEnd> {
      const readAt = performance.now();
      const end = await readEnd();
      last = { id: end.highestId, readAt };
      return end;
    },
    findRecentId: (maxAgeMs: number): number =>
      performance.now() - last.readAt <= maxAgeMs ? last.id : Number.POSITIVE_INFINITY,
  };
}

function toObstacle(writers: readonly string[] | undefined): WatermarkObstacle {
  if (!writers) return 'unwritable';
  return [STANDBY, CACHED_SEQUENCE].find((obstacle) => writers.includes(obstacle)) ?? 'writers';
}
