import type { EventCriteria } from '../events/event.js';
import type { EventSlice } from '../events/event-page.js';
import type { CutEvents, PageSelection } from '../events/large-pages.js';
import type { Epoch } from './epoch.store.js';
import type { EpochCount } from './version.js';
import type { WatermarkLog } from './watermark.js';

/** The events that a count reads. */
export interface CountRange {
  /** Only events above this id are counted; null counts all. */
  readonly after: number | null;
  /** Events up to this id are counted separately from those above it. */
  readonly upTo: number;
  /** Whether few events, matching or not, have ids above `after`. settled-values.ts has the limit. */
  readonly isShort: boolean;
}

/** The numbers of matching events in a range: `between` counts those up to `upTo`, `newer` those above it. */
export interface CountSince extends Epoch {
  readonly between: number;
  readonly newer: number;
}

export interface EventsWithEpoch extends Epoch, CutEvents {}

/** The queries that count. */
export interface CountReads {
  /** Counts the matching events in a range, and reads the epoch at the same moment (epoch.store.ts). */
  count(criteria: EventCriteria, range: CountRange): Promise<CountSince>;

  /** Returns what `count` returns and a slice of the events, both at one moment. */
  countAndList(
    criteria: EventCriteria,
    slice: EventSlice,
    range: CountRange,
    selection?: PageSelection,
  ): Promise<CountSince & EventsWithEpoch>;

  /** Returns a slice of the matching events, and the epoch at the same moment (epoch.store.ts). */
  listWithEpoch(criteria: EventCriteria, slice: EventSlice, selection?: PageSelection): Promise<EventsWithEpoch>;

  /** Counts the matching events up to an id. Returns null if a new epoch began during the count (epoch.store.ts). */
  countUpTo(criteria: EventCriteria, upTo: number): Promise<EpochCount | null>;
}

export interface CountedLog extends WatermarkLog, CountReads {
  /** Returns the same queries, which are canceled once `signal` is aborted. */
  withSignal(signal: AbortSignal): CountReads;
}
