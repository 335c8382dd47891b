import { setTimeout as wait } from 'node:timers/promises';
import type { MirrorStore } from './mirror.store.js';
import { type Days, MirrorError, type ServerLog } from './server-log.js';

export interface MirrorOptions {
  readonly source: string;
  readonly signal: AbortSignal;
  /** Goes on with what is added from now on, until the signal. */
  readonly follow: boolean;
  readonly onProgress: (progress: MirrorProgress) => void;
}

export interface MirrorProgress {
  /** How many events were added to the copy by this run. */
  readonly added: number;
  /** The day that is being read; null once the copy is complete. */
  readonly day: string | null;
}

/** How often the newest events are asked for. */
const FOLLOW_EVERY_MS = 2_000;

/** How often the days since yesterday are read as a whole, for what was committed long after it was begun. */
const REVISE_EVERY_MS = 300_000;

/** Each page begins with the end of the one before it: older servers order the events of one moment anew for each page. */
const OVERLAP = 20;

/** So often a day is read again for what its total says is missing. */
const MAX_PASSES = 4;

/**
 * Copies the log of a server, day by day from the oldest. What is there is not added again, and a day counts as copied only once it is over
 * and as many events were seen as the server says it has. So it may be stopped at any moment and run again.
 * @returns how many events were added
 * @throws MirrorError if the database is a copy of something else, or the server's log cannot be read
 */
export async function mirror(
  log: ServerLog,
  store: MirrorStore,
  { source, signal, follow, onProgress }: MirrorOptions,
): Promise<number> {
  const owner = await store.claim(source);
  if (owner !== source)
    throw new MirrorError(`This database is a copy of the log of ${owner}. Give each server a database of its own.`);
  let added = 0;

  /** Adds one page. @returns how many of its events are new */
  const copyPage = async (days: Days, offset: number, seen: Set<number>) => {
    const { events, total, size } = await log.readPage(days, offset);
    for (const { id } of events) seen.add(id);
    const result = await store.add(events);
    if (result.conflict) throw new MirrorError(conflictOf(result.conflict.id));
    added += result.added;
    return { next: events.length < size ? null : offset + size - OVERLAP, isNew: result.added > 0, total };
  };

  const copyDays = async (days: Days): Promise<void> => {
    const seen = new Set<number>();
    for (let pass = 1; ; pass += 1) {
      let page = await copyPage(days, 0, seen);
      while (page.next !== null) {
        onProgress({ added, day: days.from });
        page = await copyPage(days, page.next, seen);
      }
      if (seen.size >= page.total) return;
      if (pass === MAX_PASSES) {
        throw new MirrorError(`Of the ${page.total} events of ${days.from} only ${seen.size} were given, in ${pass} passes.`);
      }
    }
  };

  /** All days that are not known to be complete, up to now. */
  const catchUp = async (): Promise<void> => {
    if (!(await log.knowsDays())) return copyDays(WHOLE_LOG);
    // The server may be a day ahead.
    const end = dayOf(Date.now() + DAY_MS);
    for (
      let day = (await store.findCompleteBefore()) ?? (await log.findFirstDay());
      day !== null && day <= end;
      day = next(day)
    ) {
      signal.throwIfAborted();
      onProgress({ added, day });
      await copyDays({ from: day, to: day });
      // Yesterday may be today where the server is, and a transaction may have begun then that ends now.
      const lastComplete = dayOf(Date.now() - 2 * DAY_MS);
      if (next(day) <= lastComplete) await store.setCompleteBefore(next(day));
    }
  };

  /** The newest events, until a page holds nothing that is new. */
  const copyNewest = async (): Promise<void> => {
    const days = { from: dayOf(Date.now() - DAY_MS), to: dayOf(Date.now() + DAY_MS) };
    let page = await copyPage(days, 0, new Set());
    while (page.isNew && page.next !== null) page = await copyPage(days, page.next, new Set());
  };

  await catchUp();
  onProgress({ added, day: null });
  for (let revised = Date.now(); follow && !signal.aborted; ) {
    await wait(FOLLOW_EVERY_MS, undefined, { signal });
    const isDue = Date.now() - revised > REVISE_EVERY_MS;
    if (isDue) revised = Date.now();
    await (isDue ? catchUp() : copyNewest());
    onProgress({ added, day: null });
  }
  return added;
}

const DAY_MS = 86_400_000;

/** Where the server knows no days: what is asked for is all there is. */
const WHOLE_LOG: Days = { from: '1970-01-01', to: '9999-12-31' };

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function next(day: string): string {
  return dayOf(Date.parse(`${day}T00:00:00Z`) + DAY_MS);
}

function conflictOf(id: number): string {
  return `Event ${id} of the server is another one than event ${id} here: this log holds events that are not that server's. Mirror into an empty database.`;
}
