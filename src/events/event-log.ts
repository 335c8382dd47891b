import { createKeptTables, type KeptTables } from '../event-counts/kept-tables.js';
import { shareNext } from '../log-version/single-flight.js';
import { createTotals, type Totals } from '../log-version/totals.js';
import type { EventStore } from './event.store.js';

/** The event log on one database server, the primary or a replica, with the cached counts of that server. */
export interface EventLog {
  readonly store: EventStore;
  readonly totals: Totals;
  readonly tables: KeptTables;
}

/** Chooses the log that a field of an operation reads. All reads of the field use the same log, so that they agree. */
export type ChooseLog = () => Promise<EventLog>;

export interface EventLogs {
  readonly primary: EventLog;
  readonly chooseLog: ChooseLog;
}

export function createEventLog(store: EventStore): EventLog {
  // A request that waits until the log is complete holds no turn of the fair queue (limits/in-turn.ts). Thousands of requests
  // can therefore wait at once, and share one query at a time.
  const readEnd = shareNext(store.readEnd);
  return { store, totals: createTotals({ ...store, readEnd }), tables: createKeptTables() };
}
