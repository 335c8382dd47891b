import type { Read } from '../database/read.js';
import { type Position, type Replica, type Replicas, readPosition } from '../database/replicas.js';
import { createKeptTables } from '../event-counts/kept-tables.js';
import { replicaEpoch } from '../log-version/epoch.store.js';
import { coalesce } from '../log-version/single-flight.js';
import { createTotals } from '../log-version/totals.js';
import { UNKNOWN_WRITERS } from '../log-version/watermark.js';
import { createEventStore, type EventStore } from './event.store.js';
import type { ChooseLog, EventLog } from './event-log.js';

/**
 * Returns a function that chooses where a field of an operation reads the log: from the next available replica, or from the
 * primary. A replica is read only if it has everything that the primary had when the request arrived. A response therefore never
 * lacks what an earlier response had (docs/decisions/021-replicas.md).
 * @param onChosen is called with each choice
 */
export function chooseAmongReplicas(
  primary: EventLog,
  readPrimary: Read,
  replicas: Replicas,
  onChosen: (from: 'primary' | 'replica') => void,
): ChooseLog {
  if (replicas.all.length === 0) return async () => primary;
  const logs = new WeakMap<Replica, { readonly run: string; readonly log: EventLog }>();
  let turn = 0;

  /**
   * Returns the log of a replica. Creates it again after the primary was restarted or replaced, because cached totals are valid
   * for one run of one server.
   */
  const findLog = (replica: Replica, { run }: Position): EventLog => {
    const cached = logs.get(replica);
    if (cached?.run === run) return cached.log;
    const log = createReplicaLog(replica, run, primary.store, readPrimary);
    logs.set(replica, { run, log });
    return log;
  };

  const choose = async (): Promise<EventLog> => {
    turn += 1;
    const available = replicas.all.filter((replica) => !replica.isUnavailable());
    const replica = available[turn % available.length];
    if (!replica) return primary;
    // A primary that cannot report its position is unavailable or a standby. It is read nevertheless: a standby serves the reads,
    // and an unavailable primary fails with its own error.
    const position = await readPosition(readPrimary).catch(() => null);
    return position && (await replica.hasReached(position)) ? findLog(replica, position) : primary;
  };

  // Requests that arrive together share one choice.
  const chooseOnce = coalesce(choose);
  return async () => {
    const log = await chooseOnce();
    onChosen(log === primary ? 'primary' : 'replica');
    return log;
  };
}

/**
 * Creates the log of a replica. A published id (watermark.ts) becomes its watermark once the transactions that wrote before the
 * publication have ended, and the replica has everything that they wrote. Only the primary can list the open transactions.
 */
function createReplicaLog(replica: Replica, run: string, primary: EventStore, readPrimary: Read): EventLog {
  const store = createEventStore(replica.read, replicaEpoch(run));
  const findWriters = async (): Promise<string[]> => {
    const writers = await primary.findWriters();
    return (await replica.hasReached(await readPosition(readPrimary))) ? writers : [...writers, UNKNOWN_WRITERS];
  };
  const totals = createTotals({ ...store, publishCandidate: primary.publishCandidate, findWriters });
  return { store, totals, tables: createKeptTables() };
}
