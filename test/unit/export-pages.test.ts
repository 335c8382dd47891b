import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { JsonList } from '../../src/formats/json-text.js';
import { startExport } from '../../src/log-export/export-log.js';
import { createOperatorContext } from '../../src/log-export/local-documents.js';

/** The events of the log below. A first page has 100 of them. */
const COUNT = 250;

const toEvents = (ids: number[]) => new JsonList(ids.map((id) => `{"id":${id}}`));

/** Starts an export of a log with the ids from 1 to `COUNT`. @param readPage runs before each page is returned */
async function startPages(readPage: (after: number) => Promise<void> | void) {
  const query = async (_: unknown, variables: { after: number | null; first?: number }) => {
    const { after, first } = variables;
    if (first === undefined) return { eventExport: { upTo: COUNT, count: COUNT, feedCursor: null } };
    await readPage(after ?? 0);
    const length = Math.min(first, COUNT - (after ?? 0));
    return { eventExport: { events: toEvents(Array.from({ length }, (_value, index) => (after ?? 0) + index + 1)) } };
  };
  const request = { format: 'ndjson' as const, keepsFormulas: false, filter: {}, after: null, upTo: null };
  const documents = { query } as unknown as Parameters<typeof startExport>[0];
  return (await startExport(documents, request, createOperatorContext(new AbortController().signal))).pages();
}

test('a page is read while the consumer has the one before it', async () => {
  const read: number[] = [];
  const pages = await startPages((after) => void read.push(after));
  expect(read).toEqual([]);
  expect((await pages.next()).value).toMatchObject({ events: 100, lastId: 100 });
  expect(read).toEqual([0, 100]);
  expect((await pages.next()).value).toMatchObject({ events: 150, lastId: COUNT });
  expect(await pages.next()).toEqual({ done: true, value: undefined });
  expect(read).toEqual([0, 100]);
});

test('a page that cannot be read → the page before it is returned first, then the error is thrown', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  try {
    const pages = await startPages((after) => {
      if (after > 0) throw new Error('no connection');
    });
    expect((await pages.next()).value).toMatchObject({ lastId: 100 });
    await setImmediate();
    await expect(pages.next()).rejects.toThrow('no connection');
    expect(unhandled).toEqual([]);
  } finally {
    process.removeListener('unhandledRejection', note);
  }
});

test('a consumer that stops → waits for the page that is being read', async () => {
  const order: string[] = [];
  let finish = (): void => undefined;
  const pages = await startPages((after) =>
    after === 0
      ? undefined
      : new Promise<void>((resolve) => {
          finish = () => {
            order.push('page');
            resolve();
          };
        }),
  );
  await pages.next();
  const stopped = pages.return(undefined).then(() => order.push('stopped'));
  await setImmediate();
  expect(order).toEqual([]);
  finish();
  await stopped;
  expect(order).toEqual(['page', 'stopped']);
});
