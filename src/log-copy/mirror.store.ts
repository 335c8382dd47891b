import type { Database } from '../database/open.js';
import { createImportStore } from './import.store.js';
import type { EventLine } from './event-line.js';
import { MirrorError } from './unleash-log.js';

export type MirrorStore = ReturnType<typeof createMirrorStore>;

/** The copy of a server's log, and how far it is complete. */
export function createMirrorStore(database: Database) {
  const { prisma } = database;
  const { inTransaction } = createImportStore(database);
  return {
    /**
     * Makes this empty log the copy of that server's.
     * @param movedFrom what the server was known as before, if it has another URL now
     * @throws MirrorError if it holds other events
     */
    async claim(source: string, movedFrom: string | null): Promise<void> {
      const mirror = await prisma.mirror.findUnique({ where: { id: 1 } });
      if (mirror?.source === source) return;
      if (mirror && mirror.source !== movedFrom) {
        throw new MirrorError(
          `This database is a copy of the log of ${mirror.source}. Give each server a database of its own; if it is the same server, say --moved-from ${mirror.source}.`,
        );
      }
      if (!mirror && (await prisma.event.findFirst({ select: { id: true } }))) {
        throw new MirrorError('This database has a log already that is no copy of a server. Mirror into an empty database.');
      }
      await prisma.mirror.upsert({ where: { id: 1 }, create: { source }, update: { source } });
    },

    /** The first day of which not every event may be here, yyyy-MM-dd; null before anything is complete. */
    async findCompleteBefore(): Promise<string | null> {
      const mirror = await prisma.mirror.findUnique({ where: { id: 1 } });
      return mirror?.completeBefore?.toISOString().slice(0, 10) ?? null;
    },

    async setCompleteBefore(day: string | null): Promise<void> {
      await prisma.mirror.update({ where: { id: 1 }, data: { completeBefore: day && new Date(`${day}T00:00:00Z`) } });
    },

    count: (): Promise<number> => prisma.event.count(),

    /**
     * Adds those that are not there yet, all of them or none.
     * @returns how many were added
     * @throws MirrorError if another event is there under the id of one of them
     */
    add: (events: readonly EventLine[]): Promise<number> =>
      inTransaction(async (transaction) => {
        const added = await transaction.add(events);
        if (added > 0) await transaction.moveSequence();
        if (added < events.length) {
          const there = await transaction.findLines(events.map(({ id }) => id));
          const other = events.find((event) => !isSame(there.get(event.id), event));
          if (other)
            throw new MirrorError(
              `Event ${other.id} of the server is another one than event ${other.id} here: this log was changed by hand.`,
            );
        }
        return added;
      }),
  };
}

/** By what never changes of an event: names may be made anonymous, and other versions of a server tell payloads in another way. */
function isSame(copied: EventLine | undefined, event: EventLine): boolean {
  return copied?.createdAt === event.createdAt && copied.type === event.type;
}
