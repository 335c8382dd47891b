import { hash } from 'node:crypto';
import { type SingleFlight, startSingleFlight } from '../log-version/single-flight.js';

/** Returns a function that shares one read among all concurrent calls for the same result. */
export function createSharedReads<Result>() {
  const flights = new Map<string, SingleFlight<Result>>();

  /** @param wanted identifies the result: calls with equal JSON share a read */
  return (wanted: unknown, read: (signal: AbortSignal) => Promise<Result>, signal: AbortSignal): Promise<Result> => {
    const key = hash('sha256', JSON.stringify(wanted), 'base64');
    const running = flights.get(key);
    if (running && !running.isAbandoned) return running.join(signal);
    const flight = startSingleFlight(async (abandoned) => {
      try {
        return await read(abandoned);
      } finally {
        if (flights.get(key) === flight) flights.delete(key);
      }
    });
    flights.set(key, flight);
    return flight.join(signal);
  };
}
