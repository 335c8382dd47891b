import type { Event, EventCriteria } from '../events/event.js';
import type { OffsetPage } from '../events/event-page.js';
import type { Epoch } from './epoch.store.js';
import type { EpochCount } from './version.js';
import type { WatermarkLog } from './watermark.js';

/** Numbers of matching events after a cached count: `between` have an id above `after` and up to `upTo`, `newer` an id above `upTo`. */
export interface CountSince extends Epoch {
  readonly between: number;
  readonly newer: number;
}

export interface PageWithEpoch extends Epoch {
  readonly events: readonly Event[];
}

/** The queries that count. */
export interface CountReads {
  /** Counts what matches above the id `after` (null: everything), split at the id `upTo`, together with the epoch. */
  count(criteria: EventCriteria, after: number | null, upTo: number): Promise<CountSince>;

  /** Returns what `count` returns and a page of the events, both at one moment. */
  countAndListPage(
    criteria: EventCriteria,
    page: OffsetPage,
    after: number | null,
    upTo: number,
  ): Promise<CountSince & PageWithEpoch>;

  /** Returns a page and the epoch, both at one moment. */
  listPageWithEpoch(criteria: EventCriteria, page: OffsetPage): Promise<PageWithEpoch>;

  /** Counts what matches up to an id. Returns null if the epoch changed meanwhile. */
  countUpTo(criteria: EventCriteria, upTo: number): Promise<EpochCount | null>;
}

/** An event log that can be counted. */
export interface CountedLog extends WatermarkLog, CountReads {
  withSignal(signal: AbortSignal): CountReads;
}
