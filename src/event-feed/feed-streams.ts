import { createSlots, type SlotLimits, type Slots } from '../limits/slots.js';
import type { FeedLag } from './feed-end.js';
import type { FeedEndWatcher } from './feed-end-watcher.js';

/** The state of the feed, for the metrics. */
export interface FeedState extends FeedLag {
  readonly streams: number;
}

/**
 * The open streams of the feed, which end when the gateway stops. stream-pages.ts also ends a stream after about 15 minutes. A
 * long poll counts as a stream while it waits.
 */
export class FeedStreams {
  /** The end of the feed, which all streams follow. */
  readonly endWatcher: FeedEndWatcher;
  readonly slots: Slots;
  #isStopping = false;

  constructor(limits: SlotLimits, endWatcher: FeedEndWatcher) {
    this.slots = createSlots(limits, 'streams of the feed');
    this.endWatcher = endWatcher;
  }

  /** Counts the open streams, and tells how far the feed is behind the log. */
  readonly readState = (): FeedState => ({ streams: this.slots.count(), ...this.endWatcher.readLag() });

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Lets all streams end with a last page. */
  stop(): void {
    this.#isStopping = true;
    this.endWatcher.stop();
  }
}
