import { setImmediate } from 'node:timers/promises';
import type { Read } from '../database/read.js';
import { type Position, type Replica, type Replicas, readPosition } from '../database/replicas.js';
import { createEventStore, type EventStore } from '../events/event.store.js';
import { createTotals, type Totals } from './totals.js';
import { ownLogOf } from './epoch.store.js';
import { UNKNOWN_WRITERS } from './watermark.js';

/** Where the events of one server are read, and counted. */
export interface EventLog {
  readonly store: EventStore;
  readonly totals: Totals;
}

/** Where a list of events is read: once for all its reads, so that they agree. */
export type ChooseLog = () => Promise<EventLog>;

export function createEventLog(store: EventStore): EventLog {
  return { store, totals: createTotals(store) };
}

/**
 * Takes the replicas in turn, each only while it has all that the primary had when the request came: what anybody was answered before is
 * in every answer after (docs/decisions/021-replicas.md).
 * @param onChosen told of each choice
 */
export function chooseAmongReplicas(
  primary: EventLog,
  readPrimary: Read,
  replicas: Replicas,
  onChosen: (from: 'primary' | 'replica') => void,
): ChooseLog {
  if (replicas.all.length === 0) return async () => primary;
  const logs = new WeakMap<Replica, { readonly startedAt: string; readonly log: EventLog }>();
  let turn = 0;
  let next: Promise<EventLog> | null = null;

  /** Anew once the primary is another one: its log may be, too. */
  const findLog = (replica: Replica, { startedAt }: Position): EventLog => {
    const known = logs.get(replica);
    if (known?.startedAt === startedAt) return known.log;
    const log = createReplicaLog(replica, startedAt, primary.store, readPrimary);
    logs.set(replica, { startedAt, log });
    return log;
  };

  const choose = async (): Promise<EventLog> => {
    turn += 1;
    const present = replicas.all.filter((replica) => !replica.isUnavailable());
    const replica = present[turn % present.length];
    if (!replica) return primary;
    // One that cannot tell is a standby itself, or away: what it does not answer is its own error then.
    const position = await readPosition(readPrimary).catch(() => null);
    return position && (await replica.hasReached(position)) ? findLog(replica, position) : primary;
  };

  return async () => {
    // Those who ask at once read at one place.
    next ??= setImmediate().then(() => {
      next = null;
      return choose();
    });
    const log = await next;
    onChosen(log === primary ? 'primary' : 'replica');
    return log;
  };
}

/** Only the primary knows who is writing; what it had written must have come to the replica before it counts as settled there. */
function createReplicaLog(replica: Replica, startedAt: string, primary: EventStore, readPrimary: Read): EventLog {
  const store = createEventStore(replica.read, ownLogOf(startedAt));
  const findWriters = async (): Promise<string[]> => {
    const writers = await primary.findWriters();
    return (await replica.hasReached(await readPosition(readPrimary))) ? writers : [...writers, UNKNOWN_WRITERS];
  };
  return { store, totals: createTotals({ ...store, publishWatermark: primary.publishWatermark, findWriters }) };
}
