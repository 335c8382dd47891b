import type { EventReads } from '../events/event.store.js';

/** The parts of the store that settling needs. */
export type WatermarkLog = Pick<EventReads, 'findHighestId' | 'publishWatermark' | 'findWriters'>;

/** How often ids are settled at most. A total costs the counting of what was added since, so that more often gains nothing. */
export const WATERMARK_EVERY_MS = 1_000;

/**
 * How PostgreSQL names a prepared transaction among those that hold locks: one that has prepared its transaction for a commit in two phases goes by
 * another name until then, so that each of them is waited for.
 */
const PREPARED = '-1/';

/** Among the writers where it cannot be told who they are, or were: nothing is settled meanwhile. */
export const UNKNOWN_WRITERS = `${PREPARED}untold`;

/** An id up to which the log of a server is settled. */
interface WatermarkId {
  readonly upTo: number;
  readonly server: string | undefined;
}

/**
 * Finds ids up to which the log is settled: no event at or below them is added any more without the epoch changing. First an id is
 * published, from when on the database changes the epoch for whoever adds an event at or below it; then those have to end who wrote before.
 */
export function createWatermark(log: WatermarkLog, everyMs: number) {
  let current: WatermarkId | null = null;
  let candidate = 0;
  let settling: { readonly id: WatermarkId; readonly writers: readonly string[] } | null = null;
  let running: Promise<void> | null = null;
  let lastRun = Number.NEGATIVE_INFINITY;

  const confirm = async (): Promise<void> => {
    const attempt = settling;
    if (!attempt) return;
    const { id, writers } = attempt;
    const now = writers.length > 0 ? await log.findWriters() : [];
    if (now.some((writer) => writers.includes(writer) || writer.startsWith(PREPARED))) return;
    if (settling !== attempt) return;
    current = id;
    settling = null;
  };

  const publish = async (upTo: number): Promise<void> => {
    // A database that only reads lets no id be published. It is read all the same: without a settled id, all is counted each time.
    const epoch = await log.publishWatermark(upTo).catch(() => null);
    if (epoch !== null) settling = { id: { upTo, server: serverOf(epoch) }, writers: await log.findWriters() };
  };

  const settle = async (): Promise<void> => {
    await confirm();
    // Otherwise an id that was seen in the run before: who had taken a lower one then has written it by now, and changes no epoch.
    if (!current) candidate = await log.findHighestId();
    if (!settling && candidate > (current?.upTo ?? 0)) {
      await publish(candidate);
      await confirm();
    }
    candidate = await log.findHighestId();
  };

  const start = (): Promise<void> => {
    lastRun = performance.now();
    return settle().finally(() => {
      running = null;
    });
  };

  return {
    /** Null before there is one. */
    get current() {
      return current;
    },

    /** For another log: what was settled in the one before is not in it. */
    startAnew(): void {
      current = null;
      candidate = 0;
      settling = null;
      lastRun = Number.NEGATIVE_INFINITY;
    },

    /** Lets the settled id follow the log, beside the requests; only the first id is waited for. */
    async keepUp(): Promise<void> {
      if (!running && performance.now() - lastRun >= everyMs) running = start();
      if (!current) await running;
      // A failure shows in what the request reads itself.
      else running?.catch(() => undefined);
    },
  };
}

/** Which server, and which table in it, an epoch is of: another one has not the events that were settled in this one. */
export function serverOf(epoch: string): string | undefined {
  return epoch.split(' ')[1];
}
