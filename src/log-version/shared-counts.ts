import { LRUCache } from 'lru-cache';
import type { EventCriteria } from '../events/event.js';
import type { CountReads } from './counted-log.js';
import { type SingleFlight, startSingleFlight } from './single-flight.js';
import type { EpochCount } from './version.js';

/** How many events match up to the id `upTo`. */
export interface CachedCount extends EpochCount {
  readonly upTo: number;
}

/** The number of filters with a cached count. Each takes a few hundred bytes. */
const MAX_COUNTS = 10_000;

export type SharedCounts = ReturnType<typeof createSharedCounts>;

/** Caches counts up to a watermark, by filter. Concurrent requests share one count (single-flight.ts). */
export function createSharedCounts(withSignal: (signal: AbortSignal) => Pick<CountReads, 'countUpTo'>) {
  const counts = new LRUCache<string, CachedCount>({ max: MAX_COUNTS });
  const flights = new Map<string, SingleFlight<CachedCount | null>>();

  const startCounting = (key: string, criteria: EventCriteria, upTo: number): SingleFlight<CachedCount | null> => {
    const flight = startSingleFlight(async (signal) => {
      try {
        const counted = await withSignal(signal).countUpTo(criteria, upTo);
        const cached = counted && { ...counted, upTo };
        if (cached) counts.set(key, cached);
        return cached;
      } finally {
        if (flights.get(key) === flight) flights.delete(key);
      }
    });
    flights.set(key, flight);
    return flight;
  };

  return {
    /** Whether the count of this filter is cached or being made. */
    has: (key: string): boolean => counts.has(key) || flights.has(key),

    /** Returns a cached count, which may be of an earlier epoch. */
    findRecent: (key: string): number | null => counts.get(key)?.count ?? null,

    /** Returns the cached count, or counts up to the id `upTo`. Returns null if the epoch changed during the count. */
    find(key: string, criteria: EventCriteria, upTo: number, signal: AbortSignal | undefined) {
      const cached = counts.get(key);
      if (cached) return cached;
      const running = flights.get(key);
      return (running && !running.isAbandoned ? running : startCounting(key, criteria, upTo)).join(signal);
    },

    set: (key: string, count: CachedCount): void => void counts.set(key, count),
    delete: (key: string): void => void counts.delete(key),
  };
}
