import { beforeEach, expect, test } from '@jest/globals';
import { ReadTooLargeError } from '../../src/database/read.js';
import { readFitting } from '../../src/events/large-pages.js';

/** Reads as many events as are wanted, but fails if these are more than fit at that moment. */
function createLog(fitting: number[]) {
  return async (size: number) => {
    const most = fitting.shift() ?? 0;
    if (size > most) throw new ReadTooLargeError(most);
    return size;
  };
}

let turnsGivenUp = 0;

async function giveWay(): Promise<void> {
  turnsGivenUp += 1;
}

beforeEach(() => {
  turnsGivenUp = 0;
});

test('larger events arrive between two reads of a page → a page of the events that fit at last', async () => {
  await expect(readFitting(1000, createLog([500, 20, 20]), giveWay)).resolves.toEqual({ page: 20, size: 20 });
});

test('a page is read three times → other callers get a turn before the second and the third read', async () => {
  await readFitting(1000, createLog([500, 20, 20]), giveWay);
  expect(turnsGivenUp).toBe(2);
});

test('a page fits → no turn is given up', async () => {
  await readFitting(1000, createLog([1000]), giveWay);
  expect(turnsGivenUp).toBe(0);
});

test('each read tells that all wanted events but one fit → fewer events each time, until they fit', async () => {
  await expect(readFitting(3, createLog([2, 1, 1]), giveWay)).resolves.toEqual({ page: 1, size: 1 });
});

test('a page of one event does not fit → the error, instead of reads without end', async () => {
  await expect(readFitting(2, createLog([1, 0]), giveWay)).rejects.toThrow(ReadTooLargeError);
});
