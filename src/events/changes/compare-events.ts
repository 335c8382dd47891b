import { setImmediate } from 'node:timers/promises';
import type { GiveWay } from '../../limits/fair-queue.js';
import type { Event } from '../event.js';
import type { EventChanges } from './change-list.js';

/** How long events are compared before others get their turn. */
const SLICE_MS = 10;

/**
 * Compares the states of events, so that reading their `changes` takes no time. Other requests are served meanwhile: comparing a page of
 * long documents takes seconds.
 * @param onCompared may throw to end the comparison
 * @throws GatewayError ClientClosedRequest once the request is aborted
 */
export async function compareEvents(
  events: readonly Pick<Event, 'changes'>[],
  giveWay: GiveWay,
  onCompared: (changes: EventChanges | null) => void,
): Promise<void> {
  let sliceEnd = performance.now() + SLICE_MS;
  for (const event of events) {
    // The getter keeps the result.
    onCompared(event.changes);
    if (performance.now() < sliceEnd) continue;
    await setImmediate();
    await giveWay();
    sliceEnd = performance.now() + SLICE_MS;
  }
}
