import { describe, expect, jest, test } from '@jest/globals';
import { compareEvents } from '../../../src/events/changes/compare-events.js';
import type { Event } from '../../../src/events/event.js';
import type { ChargeReads, Context } from '../../../src/events/log-reader.js';

const SLICE_MS = 10;

/** An event whose comparison takes longer than the slice of time for one request. */
const slowEvent = (onCompare: () => void): Event => {
  const event = {
    comparedLength: 5_000,
    get changes() {
      const end = performance.now() + SLICE_MS + 1;
      while (performance.now() < end);
      onCompare();
      return null;
    },
  };
  return event as unknown as Event;
};

const contextWith = (signal: AbortSignal) => ({ signal }) as Context;
const notAborted = new AbortController().signal;

describe('comparing the events of a page', () => {
  test('events that take long → other work runs between them', async () => {
    const order: string[] = [];
    const events = [1, 2, 3].map((number) => slowEvent(() => order.push(`event ${number}`)));
    setImmediate(() => order.push('other work'));
    await compareEvents(events, contextWith(notAborted), async () => undefined, true);
    expect(order).toEqual(['event 1', 'other work', 'event 2', 'event 3']);
  });

  test('the client disconnects → the other events are not compared', async () => {
    const controller = new AbortController();
    const compared = jest.fn(() => controller.abort());
    const work = compareEvents(
      [slowEvent(compared), slowEvent(compared)],
      contextWith(controller.signal),
      async () => undefined,
      true,
    );
    await expect(work).rejects.toMatchObject({ name: 'ClientClosedRequest' });
    expect(compared).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['included in the cost of the operation', true, 2 * 10 - 2 * 2],
    ['not included', false, 2 * 10],
  ])('%s → charged before for %s', async (_, isIncluded, cost) => {
    const charge = jest.fn<ChargeReads>(async () => {
      throw new Error('The budget does not suffice.');
    });
    const compared = jest.fn();
    const work = compareEvents([slowEvent(compared), slowEvent(compared)], contextWith(notAborted), charge, isIncluded);
    await expect(work).rejects.toThrow('The budget does not suffice.');
    expect(charge).toHaveBeenCalledWith(expect.anything(), cost, 'before');
    expect(compared).not.toHaveBeenCalled();
  });
});
