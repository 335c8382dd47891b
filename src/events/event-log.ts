import { createKeptTables, type KeptTables } from '../event-counts/kept-tables.js';
import { createTotals, type Totals } from '../log-version/totals.js';
import type { EventStore } from './event.store.js';

/** The event log as one server reads and counts it. */
export interface EventLog {
  readonly store: EventStore;
  readonly totals: Totals;
  readonly tables: KeptTables;
}

/** Chooses the server that an operation reads from: once for all its reads, so that they agree. */
export type ChooseLog = () => Promise<EventLog>;

export function createEventLog(store: EventStore): EventLog {
  return { store, totals: createTotals(store), tables: createKeptTables() };
}
