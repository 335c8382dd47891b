import { setTimeout as pause } from 'node:timers/promises';
import { GatewayError } from '../errors.js';
import type { EventLog } from '../events/event-log.js';
import { notSettled } from '../log-version/settle-log.js';
import type { LogWatermark, WatermarkObstacle } from '../log-version/watermark.js';
import { createDelay } from './feed-delay.js';
import { canHaveHad, type FeedEnd, type FeedLag, hasReached, isSameForReaders, isSamePosition } from './feed-end.js';
import { createFeedReaders } from './feed-readers.js';
import { createWaits } from './waits.js';

/** The time between two updates of the end while streams are open. */
export const FEED_EVERY_MS = 250;

/** The time between two updates while only pages are read. */
const PAGES_EVERY_MS = 1_000;

/** How long a page waits for the newest events. Two updates suffice, unless open transactions hold back the watermark. */
const PATIENCE_MS = 1_000;

/** After this time without a response of the database, streams end with an error. */
const SILENT_AFTER_MS = 10_000;

/**
 * Keeps the end of the feed up to date. While there are listeners, reads the end from the primary every 250 ms, once for all
 * listeners. For two minutes after a page, reads it every second, so that the metrics also show a delay while all clients read
 * pages. Holds no connection between two reads.
 */
export class FeedEndWatcher {
  readonly #store: Pick<EventLog['store'], 'readEnd' | 'readLastPosition'>;
  readonly #watermark: LogWatermark;
  readonly #waits = createWaits();
  #current: FeedEnd | null = null;
  /** An end before all events, for a log that has no watermark yet. */
  #beginning: FeedEnd | null = null;
  readonly #readers = createFeedReaders();
  #isUpdating = false;
  #running: Promise<void> | null = null;
  /** When the last update finished, even if it failed. */
  #updatedAt = Number.NEGATIVE_INFINITY;
  #failedSince: number | null = null;
  readonly #delay = createDelay();

  constructor({ store, totals }: Pick<EventLog, 'store' | 'totals'>) {
    this.#store = store;
    this.#watermark = totals.watermark;
  }

  /** The end of the feed; null while no end is known. */
  get current(): FeedEnd | null {
    return this.#current;
  }

  /** Keeps the end up to date until the returned function is called. */
  listen(): () => void {
    const stop = this.#readers.addStream();
    void this.#keepUpdating();
    return stop;
  }

  /**
   * Returns the end of the feed. Updates the end first if the last update is more than half a second old, and always with
   * `waitsForNewest`. The updates then go on for two minutes. If open transactions still prevent the first watermark, returns the
   * position before the first event.
   * @param waitsForNewest whether to wait, for up to a second, until the end includes all events that the log had at the call
   * @throws GatewayError if the log can have no watermark now
   */
  async findEnd(signal: AbortSignal, { waitsForNewest }: { readonly waitsForNewest: boolean }): Promise<FeedEnd> {
    const deadline = performance.now() + PATIENCE_MS;
    let wanted: FeedEnd['log'] | null = null;
    for (let updates = 1; ; updates += 1) {
      if (waitsForNewest) await this.#updateAfterRunning();
      else if (!this.#current || performance.now() - this.#updatedAt > 2 * FEED_EVERY_MS) await this.#updateOnce();
      this.#rejectUnsupported();
      // The first update cannot show that the database accepts no changes, because another caller may be renewing the watermark.
      if (updates > 1 && !this.#current && !this.#watermark.current && this.findObstacle() === 'unwritable') break;
      const end = this.#current;
      if (end || this.findObstacle() === 'writers') {
        this.#readers.notePage();
        void this.#keepUpdating();
      }
      wanted ??= end?.log ?? null;
      if (end && (!waitsForNewest || (wanted && hasReached(end, wanted)))) return end;
      if (performance.now() > deadline) break;
      await pause(FEED_EVERY_MS / 2, undefined, { signal }).catch(() => undefined);
      signal.throwIfAborted();
    }
    const end = this.#current ?? this.#beginning;
    if (!end || (!this.#current && this.findObstacle() !== 'writers')) throw notSettled(this.findObstacle());
    return end;
  }

  /** Returns what keeps the end from advancing. */
  findObstacle(): WatermarkObstacle {
    return this.#watermark.findObstacle();
  }

  /** Returns the present end of the log, which the feed may reach later. */
  readLogEnd(): Promise<FeedEnd['log']> {
    return this.#store.readLastPosition();
  }

  /** Forgets the end `known` after a page has shown that this end belongs to another log, and reads a new end. */
  async renew(known: FeedEnd): Promise<void> {
    if (!isSamePosition(this.#current, known)) return;
    this.#publish(null);
    if (this.#watermark.current) await this.#watermark.renew(this.#watermark.current, null);
    await this.#updateOnce();
  }

  /**
   * Waits until readers get other pages than with the end `known`, for at most `maxMs`. Returns at once after `stop`.
   * @throws GatewayError ServiceUnavailableError if the database has not responded for 10 seconds
   */
  async waitForOther(known: FeedEnd | null, maxMs: number, signal: AbortSignal): Promise<void> {
    if (this.#failedSince !== null && performance.now() - this.#failedSince > SILENT_AFTER_MS)
      throw new GatewayError('ServiceUnavailableError', 'The database is unavailable. Try again later.');
    this.#rejectUnsupported();
    if (this.#readers.isStopped || !isSameForReaders(this.#current, known)) return;
    await this.#waits.wait(maxMs, signal);
  }

  /** Stops the updates for clients that read pages, and wakes all callers of `waitForOther`. */
  stop(): void {
    this.#readers.stop();
    this.#waits.wakeAll();
  }

  readLag(): FeedLag {
    const now = performance.now();
    const since = (start: number | null) => (start === null || !this.#readers.hasAny() ? 0 : (now - start) / 1000);
    return { lagSeconds: since(this.#delay.since), heldSeconds: since(this.#watermark.heldSince) };
  }

  /** @throws GatewayError NotSupportedHereError if this database can never have a higher watermark */
  #rejectUnsupported(): void {
    const obstacle = this.findObstacle();
    if (obstacle === 'standby' || obstacle === 'cached sequence') throw notSettled(obstacle);
  }

  async #keepUpdating(): Promise<void> {
    if (this.#isUpdating) return;
    this.#isUpdating = true;
    while (this.#readers.hasAny()) {
      const isDue = this.#readers.hasStreams() || performance.now() - this.#updatedAt >= PAGES_EVERY_MS;
      // Ignores an error, because the next page reports an unavailable database.
      if (isDue) await this.#updateOnce().catch(() => undefined);
      await pause(FEED_EVERY_MS, undefined, { ref: false });
    }
    this.#isUpdating = false;
  }

  /** Updates the end. An update that is running may have read the log before this call, so another one follows it. */
  async #updateAfterRunning(): Promise<void> {
    await this.#running?.catch(() => undefined);
    await this.#updateOnce();
  }

  /** Updates the end. Concurrent callers share one update. */
  #updateOnce(): Promise<void> {
    this.#running ??= this.#update()
      .then(
        () => {
          this.#failedSince = null;
        },
        (error: unknown) => {
          this.#failedSince ??= performance.now();
          throw error;
        },
      )
      .finally(() => {
        this.#updatedAt = performance.now();
        this.#running = null;
      });
    return this.#running;
  }

  /** Advances the watermark, then reads the end of the log. Forgets a watermark and an end that this log cannot have had. */
  async #update(): Promise<void> {
    await this.#watermark.advance(FEED_EVERY_MS);
    const { current } = this.#watermark;
    const { server, epoch, highestId, late } = await this.#store.readEnd();
    const log = { highestId, late };
    const isSameLog = !current || (current.server === server && canHaveHad(log, { id: current.upTo, late: current.late }));
    if (!isSameLog) await this.#watermark.renew(current, null);
    const found = this.#watermark.current?.server === server ? this.#watermark.current : null;
    const known = this.#current?.server === server && canHaveHad(log, this.#current) ? this.#current : null;
    // A new epoch (log-version/totals.ts) resets the watermark, but not the end: all later events still come after the known end.
    const id = Math.max(found?.upTo ?? 0, known?.id ?? 0);
    const end = { server, epoch, id: id > 0 ? id : null, late: Math.max(found?.late ?? 0, known?.late ?? 0), log };
    this.#beginning = { ...end, id: null, late: 0 };
    this.#delay.note(end);
    this.#publish(found || known || highestId <= 0 ? end : null);
  }

  #publish(end: FeedEnd | null): void {
    const isSame = isSameForReaders(this.#current, end);
    this.#current = end;
    if (!isSame) this.#waits.wakeAll();
  }
}
