import { GatewayError } from '../errors.js';
import type { FeedEnds, FeedLag } from './feed-ends.js';
import { type FollowedPage, type FollowOptions, followPages } from './follow-pages.js';

export interface FeedStreamLimits {
  /** The streams of one caller on this gateway. */
  readonly perCaller: number;
  /** All streams on this gateway. */
  readonly total: number;
}

/** The feed as the metrics show it. */
export interface FeedState extends FeedLag {
  readonly streams: number;
}

/** Counts the open streams of the feed, and ends them when the gateway stops. A long poll counts while it waits. */
export class FeedStreams {
  readonly #limits: FeedStreamLimits;
  /** The end of the feed, which all streams follow. */
  readonly ends: FeedEnds;
  readonly #byCaller = new Map<string, number>();
  #open = 0;
  #isStopping = false;

  constructor(limits: FeedStreamLimits, ends: FeedEnds) {
    this.#limits = limits;
    this.ends = ends;
  }

  /** Counts the open streams, and tells how far the feed is behind the log. */
  readonly readState = (): FeedState => ({ streams: this.#open, ...this.ends.readLag() });

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Follows pages (follow-pages.ts). */
  follow<Page extends FollowedPage>(options: FollowOptions<Page>): AsyncGenerator<Page> {
    return followPages(this.ends, this, options);
  }

  /** Counts a stream until the returned function is called. @throws GatewayError TooManyRequestsError if a limit is reached */
  take(callerId: string): () => void {
    const ofCaller = this.#byCaller.get(callerId) ?? 0;
    if (ofCaller >= this.#limits.perCaller)
      throw tooMany(`Your token has ${ofCaller} streams of the feed open, which is the limit. Close one of them.`);
    if (this.#open >= this.#limits.total)
      throw tooMany('This gateway has as many streams of the feed open as it can serve. Try again later.');
    this.#add(callerId, 1);
    let isOpen = true;
    return () => {
      if (isOpen) this.#add(callerId, -1);
      isOpen = false;
    };
  }

  /** Lets all streams end with a last page. */
  stop(): void {
    this.#isStopping = true;
    this.ends.wakeAll();
  }

  #add(callerId: string, difference: 1 | -1): void {
    const ofCaller = (this.#byCaller.get(callerId) ?? 0) + difference;
    if (ofCaller > 0) this.#byCaller.set(callerId, ofCaller);
    else this.#byCaller.delete(callerId);
    this.#open += difference;
  }
}

/** The time after which a client that was rejected should try again. */
const RETRY_AFTER_SECONDS = 5;

function tooMany(message: string): GatewayError {
  return new GatewayError('TooManyRequestsError', message, { limit: 'request', retryAfterSeconds: RETRY_AFTER_SECONDS });
}
