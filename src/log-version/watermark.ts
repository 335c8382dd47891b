import type { Epoch } from './epoch.store.js';
import { type createWatermarkStore, STANDBY } from './watermark.store.js';

export type WatermarkLog = ReturnType<typeof createWatermarkStore>;

/** How often the watermark moves at most. A total costs the counting of the events above it, which are few after a second. */
export const WATERMARK_EVERY_MS = 1_000;

/** A highest id is recent for this many runs: during a run, the id of the run before still is. */
const RECENT_RUNS = 3;

/**
 * The prefix under which `pg_locks` lists every prepared transaction. A transaction gets this name when it is prepared for a two-phase
 * commit, so any prepared transaction may be one of the earlier writers.
 */
const PREPARED = '-1/';

/** Stands for writers that cannot be listed. It begins like a prepared transaction, so no watermark is confirmed while it is listed. */
export const UNKNOWN_WRITERS = `${PREPARED}unknown`;

/** A watermark, and the epoch in which it was published. It says nothing about another server or a later epoch. */
export interface Watermark extends Epoch {
  readonly upTo: number;
}

/** A database that takes no changes, a standby that cannot list the writers of its primary, or open transactions. */
export type WatermarkObstacle = 'unwritable' | 'standby' | 'writers';

export type LogWatermark = ReturnType<typeof createWatermark>;

/**
 * Finds the watermark of the log: an id at or below which no event can be added any more without a new epoch.
 *
 * First an id is published. From then on, the database starts a new epoch when an event is added at or below it. Transactions that wrote
 * before may still do so unnoticed, so the watermark holds once all of them have ended.
 */
export function createWatermark(log: WatermarkLog, everyMs: number) {
  let current: Watermark | null = null;
  const highest = createHighestId(log);
  let candidate = 0;
  let published: { readonly watermark: Watermark; readonly writers: readonly string[] } | null = null;
  let running: Promise<void> | null = null;
  let lastRun = Number.NEGATIVE_INFINITY;

  const confirm = async (): Promise<void> => {
    const attempt = published;
    if (!attempt) return;
    const { watermark, writers } = attempt;
    const open = writers.length > 0 ? await log.findWriters() : [];
    if (open.some((writer) => writers.includes(writer) || writer.startsWith(PREPARED))) return;
    if (published === attempt) [current, published] = [watermark, null];
  };

  const publish = async (upTo: number): Promise<void> => {
    // A read-only database rejects publishing. It can still be read: without a watermark, every total is counted in full.
    const epoch = await log.publishCandidate(upTo).catch(() => undefined);
    if (epoch) published = { watermark: { upTo, epoch: epoch.epoch, server: epoch.server }, writers: await log.findWriters() };
  };

  const move = async (): Promise<void> => {
    await confirm();
    // Only the first run publishes the id that it reads. A later run publishes that of the run before: writers that held a lower id have
    // normally committed by then, so no new epoch starts.
    if (!current && candidate === 0) candidate = await highest.read();
    if (!published && candidate > (current?.upTo ?? 0)) {
      await publish(candidate);
      await confirm();
    }
    candidate = await highest.read();
  };

  const start = (): Promise<void> => {
    lastRun = performance.now();
    return move().finally(() => {
      running = null;
    });
  };

  /** Moves the watermark in the background if it is due. Only the first one is waited for. */
  const advance = async (): Promise<void> => {
    if (!running && performance.now() - lastRun >= everyMs) running = start();
    if (!current) await running;
    // A failure also shows in the queries of the request itself.
    else running?.catch(() => undefined);
  };

  return {
    /** The highest id of the log a moment ago, or infinite if it was read too long ago. */
    findHighestId: () => highest.findRecent(everyMs * RECENT_RUNS),

    /** Null until the first watermark is confirmed. */
    get current() {
      return current;
    },

    /** Why there is no higher watermark, if one was due. */
    findObstacle: () => toObstacle(published?.writers),
    /**
     * Publishes again after another epoch was found, because a restore may have set the published id back. On another server, events
     * below the watermark may be missing. In the same log the id stays: a higher one could start another epoch, while transactions with
     * lower ids are open.
     */
    async renew(known: Watermark, found: Epoch): Promise<void> {
      if (current === known) {
        current = published = null;
        candidate = found.server === known.server ? known.upTo : 0;
        lastRun = Number.NEGATIVE_INFINITY;
      }
      await advance();
    },
    advance,
  };
}

function createHighestId({ findHighestId }: WatermarkLog) {
  let last = { id: Number.POSITIVE_INFINITY, readAt: Number.NEGATIVE_INFINITY };
  return {
    async read(): Promise<number> {
      const readAt = performance.now();
      last = { id: await findHighestId(), readAt };
      return last.id;
    },
    findRecent: (maxAgeMs: number): number => (performance.now() - last.readAt <= maxAgeMs ? last.id : Number.POSITIVE_INFINITY),
  };
}

function toObstacle(writers: readonly string[] | undefined): WatermarkObstacle {
  if (!writers) return 'unwritable';
  return writers.includes(STANDBY) ? 'standby' : 'writers';
}
