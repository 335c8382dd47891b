import type { Database } from '../database/open.js';
import type { EventRow } from '../events/event.js';
import { createImportStore } from './import.store.js';
import { MirrorError } from './mirror-error.js';

export type MirrorStore = ReturnType<typeof createMirrorStore>;

/** Stores the copy of an Unleash log, and how far it is complete. */
export function createMirrorStore(database: Database) {
  const { prisma } = database;
  const { inTransaction } = createImportStore(database);
  return {
    /**
     * Claims this log as the copy of an Unleash server's log. Does nothing if the log is already that copy.
     * @param movedFrom the former URL of the server; null if the URL is unchanged
     * @throws MirrorError if the log is a copy of another server's log, or has events without being a copy
     */
    async claim(source: string, movedFrom: string | null): Promise<void> {
      const mirror = await prisma.mirror.findUnique({ where: { id: 1 } });
      if (mirror?.source === source) return;
      if (mirror && mirror.source !== movedFrom) {
        throw new MirrorError(
          `This database is a copy of the log of ${mirror.source}. Give each Unleash server a database of its own. If it is the same server under a new URL, use --moved-from ${mirror.source}.`,
        );
      }
      if (!mirror && (await prisma.event.findFirst({ select: { id: true } }))) {
        throw new MirrorError('This database already has a log that is not a copy. Mirror into an empty database.');
      }
      await prisma.mirror.upsert({ where: { id: 1 }, create: { source }, update: { source } });
    },

    /** Finds the first day that may be incomplete, as yyyy-MM-dd; null before any day is complete. */
    async findCompleteBefore(): Promise<string | null> {
      const mirror = await prisma.mirror.findUnique({ where: { id: 1 } });
      return mirror?.completeBefore?.toISOString().slice(0, 10) ?? null;
    },

    async setCompleteBefore(day: string | null): Promise<void> {
      await prisma.mirror.update({ where: { id: 1 }, data: { completeBefore: day && new Date(`${day}T00:00:00Z`) } });
    },

    /** Records that Unleash responded now, by the clock of the database, because gateways compare with that clock. */
    async recordResponse(): Promise<void> {
      await prisma.$executeRaw`UPDATE gateway_mirror SET responded_at = now()`;
    },

    /** Records that the copy has every event that Unleash had `agoMs` ago, and the highest id of the copy. */
    async recordComplete(agoMs: number): Promise<void> {
      await prisma.$executeRaw`
        UPDATE gateway_mirror SET responded_at = now(), complete_at = now() - make_interval(secs => ${agoMs / 1000}::float8),
          complete_up_to = (SELECT coalesce(max(id), 0) FROM events)`;
    },

    count: (): Promise<number> => prisma.event.count(),

    /**
     * Adds the events that the copy does not have yet, all of them or none.
     * @returns how many were added
     * @throws MirrorError if the copy has another event with one of the ids
     */
    add: (events: readonly EventRow[]): Promise<number> =>
      inTransaction(async (transaction) => {
        const added = await transaction.add(events);
        if (added > 0) await transaction.moveSequence();
        if (added < events.length) {
          const copied = await transaction.findEvents(events.map(({ id }) => id));
          const other = events.find((event) => !isSame(copied.get(event.id), event));
          if (other)
            throw new MirrorError(
              `Event ${other.id} of Unleash differs from event ${other.id} of the copy. If the copy was changed by hand, correct the event. Otherwise mirror into an empty database.`,
            );
        }
        return added;
      }),
  };
}

/** Compares the fields that never change. Unleash may anonymize names, and its versions write payloads in different ways. */
function isSame(copied: EventRow | undefined, event: EventRow): boolean {
  return copied?.createdAt === event.createdAt && copied.type === event.type;
}
