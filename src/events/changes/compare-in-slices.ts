import { setImmediate } from 'node:timers/promises';
import type { GiveWay } from '../../limits/in-turn.js';
import type { Event } from '../event.js';
import type { EventChanges } from './change-list.js';

/** The time for which events are compared before other requests run. */
const SLICE_MS = 10;

/**
 * Computes `changes` before the response is written, in slices of 10 ms. Other requests run between slices, because comparing a
 * page of long documents takes seconds.
 * @param onCompared is called for each event; an error that it throws ends the comparison
 * @throws GatewayError ClientClosedRequest once the request is aborted
 */
export async function compareInSlices(
  events: readonly Pick<Event, 'changes'>[],
  giveWay: GiveWay,
  onCompared: (changes: EventChanges | null) => void,
): Promise<void> {
  let sliceEnd = performance.now() + SLICE_MS;
  for (const event of events) {
    // The getter caches its result.
    onCompared(event.changes);
    if (performance.now() < sliceEnd) continue;
    await setImmediate();
    await giveWay();
    sliceEnd = performance.now() + SLICE_MS;
  }
}
