import type { Database } from '../database/open.js';
import { createEventImportStore } from '../events/event-import.store.js';
import type { EventLine } from '../events/event-line.js';

export type MirrorStore = ReturnType<typeof createMirrorStore>;

/** An event of the server under whose id another one is in the copy. */
export interface Conflict {
  readonly id: number;
}

/** The copy of a server's log, and how far it is complete. */
export function createMirrorStore(database: Database) {
  const { prisma, read } = database;
  const { inTransaction } = createEventImportStore(database);
  return {
    /** Makes this the copy of that server's log, unless it is another's. @returns whose it is */
    async claim(source: string): Promise<string> {
      const mirror = await prisma.mirror.upsert({ where: { id: 1 }, create: { source }, update: {} });
      return mirror.source;
    },

    /** The first day of which not every event may be here, yyyy-MM-dd; null before anything is complete. */
    async findCompleteBefore(): Promise<string | null> {
      const mirror = await prisma.mirror.findUnique({ where: { id: 1 } });
      return mirror?.completeBefore?.toISOString().slice(0, 10) ?? null;
    },

    async setCompleteBefore(day: string): Promise<void> {
      await prisma.mirror.update({ where: { id: 1 }, data: { completeBefore: new Date(`${day}T00:00:00Z`) } });
    },

    /** Adds those that are not there yet: all of them or none. */
    add: (events: readonly EventLine[]): Promise<{ readonly added: number; readonly conflict: Conflict | null }> =>
      inTransaction(async (transaction) => {
        const added = await transaction.add(events);
        if (added > 0) await transaction.moveSequence();
        const there =
          added < events.length ? await transaction.findLines(events.map(({ id }) => id)) : new Map<number, EventLine>();
        const conflict = events.find((event) => {
          const copied = there.get(event.id);
          return copied && !isSame(copied, event);
        });
        return { added, conflict: conflict ?? null };
      }),

    async count(): Promise<number> {
      const [row] = await read<{ count: number }>({ text: 'SELECT count(*)::int AS count FROM events', values: [] });
      return row?.count ?? 0;
    },
  };
}

/** By what never changes of an event; another version of a server may tell its payload in another way. */
function isSame(one: EventLine, other: EventLine): boolean {
  return one.createdAt === other.createdAt && one.type === other.type && one.createdBy === other.createdBy;
}
