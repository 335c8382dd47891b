import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { JsonList } from '../../src/formats/json-text.js';
import { startExport } from '../../src/log-export/export-log.js';
import { createOperatorContext } from '../../src/log-export/local-documents.js';
import type { RequestContext } from '../../src/request-context.js';

/** The events of the log below. A first page has 100 of them. */
const COUNT = 250;

/** Starts an export of a log with the ids from 1 to `COUNT`. @param readPage runs before each page is returned */
async function startPages(
  readPage: (after: number, context: RequestContext) => unknown,
  caller: Partial<RequestContext['caller']> = {},
) {
  const query = async (_: unknown, { after, first }: { after: number | null; first?: number }, context: RequestContext) => {
    if (first === undefined) return { eventExport: { upTo: COUNT, count: COUNT, feedCursor: null } };
    const from = after ?? 0;
    await readPage(from, context);
    const ids = Array.from({ length: Math.min(first, COUNT - from) }, (_value, index) => from + index + 1);
    return { eventExport: { events: new JsonList(ids.map((id) => `{"id":${id}}`)) } };
  };
  const context = createOperatorContext(new AbortController().signal);
  const request = { format: 'ndjson' as const, keepsFormulas: false, filter: {}, after: null, upTo: null };
  const documents = { query } as unknown as Parameters<typeof startExport>[0];
  const found = await startExport(documents, request, { ...context, caller: { ...context.caller, ...caller } });
  return found.pages();
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

test('a page that cannot be read → the page before it is returned, then the error is thrown', async () => {
  const pages = await startPages((after) => {
    if (after > 0) throw new Error('no connection');
  });
  expect((await pages.next()).value).toMatchObject({ lastId: 100 });
  await expect(pages.next()).rejects.toThrow('no connection');
});

// Jest handles rejections itself, so the process is one without Jest.
test('a page that cannot be read while the consumer is busy → the process goes on', async () => {
  const script = `
    import { setTimeout } from 'node:timers/promises';
    import { JsonList } from './dist/formats/json-text.js';
    import { startExport } from './dist/log-export/export-log.js';
    const query = async (_, { after, first }) => {
      if (after) throw new Error('no connection');
      const events = new JsonList(Array.from({ length: first ?? 0 }, (_, index) => \`{"id":\${index + 1}}\`));
      return { eventExport: { upTo: 250, count: 250, feedCursor: null, events } };
    };
    const request = { format: 'ndjson', filter: {}, after: null, upTo: null };
    const context = { caller: { id: 'a' }, signal: new AbortController().signal };
    const pages = (await startExport({ query }, request, context)).pages();
    await pages.next();
    await setTimeout(50);
    await pages.next().catch((error) => console.log(error.message));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  expect(stdout).toBe('no connection\n');
});

test('a consumer that stops → the read of the next page is canceled, and ends before the export', async () => {
  const order: string[] = [];
  const pages = await startPages(async (after, { signal }) => {
    if (after === 0) return;
    await once(signal, 'abort');
    await pause(10);
    order.push('read');
  });
  await pages.next();
  await pages.return(undefined);
  order.push('export');
  expect(order).toEqual(['read', 'export']);
});

test('a token that expires while the consumer has a page → the page that was read ahead is not returned', async () => {
  const expiresAt = new Date(Date.now() + 60_000);
  const pages = await startPages(() => undefined, { expiresAt });
  expect((await pages.next()).value).toMatchObject({ lastId: 100 });
  expiresAt.setTime(Date.now() - 1);
  await expect(pages.next()).rejects.toMatchObject({ name: 'UnauthorizedError' });
});
