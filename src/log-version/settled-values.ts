import { LRUCache } from 'lru-cache';
import type { CountRange } from './counted-log.js';
import { type Epoch, isSameEpoch } from './epoch.store.js';
import { type SingleFlight, startSingleFlight } from './single-flight.js';
import type { LogWatermark } from './watermark.js';

/**
 * A value of the events up to the id `upTo`, such as their number. The value is exact in its epoch only. A change of old events
 * starts a new epoch (totals.ts).
 */
export interface Settled<Value> extends Epoch {
  readonly upTo: number;
  readonly value: Value;
}

export type SettledValues<Value extends NonNullable<unknown>> = ReturnType<typeof createSettledValues<Value>>;

/** Caches values up to a watermark, by key. Concurrent requests for a value share one read (single-flight.ts). */
export function createSettledValues<Value extends NonNullable<unknown>>(
  limits: LRUCache.Options<string, Settled<Value>, unknown>,
) {
  const values = new LRUCache<string, Settled<Value>>(limits);
  const flights = new Map<string, SingleFlight<Settled<Value> | null>>();

  const start = (key: string, upTo: number, read: ReadSettled<Value>): SingleFlight<Settled<Value> | null> => {
    const flight = startSingleFlight(async (signal) => {
      try {
        const found = await read(upTo, signal);
        const settled = found && { ...found, upTo };
        if (settled) values.set(key, settled);
        return settled;
      } finally {
        if (flights.get(key) === flight) flights.delete(key);
      }
    });
    flights.set(key, flight);
    return flight;
  };

  return {
    /** Whether the value of this key is cached or being read. */
    has: (key: string): boolean => values.has(key) || flights.has(key),

    /** Returns a cached value, which may be of an earlier epoch. */
    findRecent: (key: string): Value | null => values.get(key)?.value ?? null,

    /** Returns the cached value (its `upTo` may differ), or else reads it. Returns null if the epoch changes during the read. */
    find(key: string, upTo: number, read: ReadSettled<Value>, signal: AbortSignal | undefined) {
      const cached = values.get(key);
      if (cached) return cached;
      const running = flights.get(key);
      return (running && !running.isAbandoned ? running : start(key, upTo, read)).join(signal);
    },

    /** Caches a value; with `known`, only if `known` is still the cached one, because another request may have replaced it. */
    set(key: string, settled: Settled<Value>, known?: Settled<Value>): void {
      if (!known || values.peek(key) === known) values.set(key, settled);
    },
    delete: (key: string): void => void values.delete(key),
  };
}

/** Reads a value of the events up to an id. Returns null if the epoch changed meanwhile. */
export type ReadSettled<Value> = (upTo: number, signal: AbortSignal) => Promise<(Epoch & { readonly value: Value }) | null>;

/** The functions that read a value. Once the value is cached, they only read the newer events. */
export interface Counting<Value extends NonNullable<unknown>, Added extends Epoch> {
  readonly key: string;
  readonly values: SettledValues<Value>;
  readonly readUpTo: ReadSettled<Value>;
  /** Reads what was added after a value was cached, in one statement that also reads the epoch. */
  readSince(value: Value, range: CountRange): Promise<Added>;
  /**
   * Returns the value of all events up to the `upTo` of the range: `value` plus the part of `added` up to that id. Returns `value`
   * itself if nothing changes.
   */
  settle(value: Value, added: Added): Value;
}

/** With at most this many new events, a read goes through all of them by id instead of searching for the matching ones. */
const SHORT_RANGE = 10_000;

/** An attempt to read a value fails if the epoch or server has changed, or the cached value reaches above the watermark. */
const MAX_ATTEMPTS = 3;

/**
 * Reads the value of the events up to the watermark, and the result of `readSince`, both at one moment.
 * @returns null without a watermark, or if the log changes too often; the caller then has to count all events in one statement
 */
export async function readSettled<Value extends NonNullable<unknown>, Added extends Epoch>(
  watermark: LogWatermark,
  { key, values, readUpTo, readSince, settle }: Counting<Value, Added>,
  signal: AbortSignal | undefined,
): Promise<{ readonly value: Value; readonly added: Added } | null> {
  await watermark.advance();
  for (let attempt = 0; attempt < MAX_ATTEMPTS && watermark.current; attempt += 1) {
    const { current } = watermark;
    const { upTo } = current;
    const cached = await values.find(key, upTo, readUpTo, signal);
    if (!cached) continue;
    const isShort = watermark.findHighestId() - cached.upTo <= SHORT_RANGE;
    const added = await readSince(cached.value, { after: cached.upTo, upTo, isShort });
    if (!isSameEpoch(added, current)) {
      await watermark.renew(current, added);
    } else if (isSameEpoch(added, cached) && cached.upTo <= upTo) {
      const value = settle(cached.value, added);
      if (upTo > cached.upTo || value !== cached.value)
        values.set(key, { epoch: added.epoch, server: added.server, value, upTo }, cached);
      return { value, added };
    }
    values.delete(key);
  }
  return null;
}
