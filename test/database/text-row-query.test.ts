import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type pg from 'pg';
import { createClient } from '../../src/database/client.js';
import { type EmbeddedDatabase, openEmbedded } from '../../src/database/embedded/embedded.js';
import { type Database, openDatabase } from '../../src/database/open.js';
import { type TextLimit, type TextRow, TextRowQuery } from '../../src/database/text-row-query.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

// Each row counts 400 characters beyond its texts.
const TEXT = 'x'.repeat(597);
const ROW = 400 + '101'.length + TEXT.length;

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase('empty');
  // With one connection, a query that leaves it in a wrong state disturbs the next one.
  database = await openDatabase(testDatabase.location, { poolSize: 1 });
  await database.read({ text: 'CREATE SEQUENCE sent_rows', values: [] });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

async function readTexts(text: string, { isPrepared = false, ...limit }: Partial<TextLimit> & { isPrepared?: boolean }) {
  let isCut = false;
  const onCut = () => {
    isCut = true;
  };
  const texts = { characters: Number.POSITIVE_INFINITY, onCut, ...limit };
  const rows = await database.read<TextRow>({ text, values: [TEXT.length] }, { isPrepared, texts });
  return { rows, isCut };
}

/** Selects rows with numbers from 101 on. PostgreSQL computes a text, and counts it in a sequence, when it sends the row. */
const select = (count: number) => `
  SELECT n + 100, repeat('x', $1::int + (nextval('sent_rows') * 0)::int) FROM generate_series(1, ${count}) AS n`;
const rowsOf = (count: number) => Array.from({ length: count }, (_, index) => [String(index + 101), TEXT]);

async function countSent(read: () => Promise<unknown>): Promise<number> {
  const readCount = async () => {
    const [row] = await database.read<{ count: string }>({ text: `SELECT nextval('sent_rows') AS count`, values: [] });
    return Number(row?.count);
  };
  const before = await readCount();
  await read();
  return (await readCount()) - before - 1;
}

test.each([
  ['at once', 0],
  ['in portions', 1_000],
])('all rows fit, %s → all of them, as text', async (_, rowsInPortions) => {
  const read = await readTexts(select(300), { rowsInPortions });
  expect(read).toEqual({ rows: rowsOf(300), isCut: false });
});

test.each([
  ['at once', 0, 300],
  ['in portions', 300, 144],
])('the 128th row begins at the limit, and more follow, %s → 128 rows', async (_, rowsInPortions, sent) => {
  const limit = { characters: 127 * ROW, rowsInPortions };
  const sentRows = await countSent(async () => {
    expect(await readTexts(select(300), limit)).toEqual({ rows: rowsOf(128), isCut: true });
  });
  expect(sentRows).toBe(sent);
  expect(await readTexts(select(128), limit)).toEqual({ rows: rowsOf(128), isCut: false });
});

test('rows of the same size, in portions → PostgreSQL sends one more row than fits', async () => {
  const limit = { characters: 500 * ROW, rowsInPortions: 1_000 };
  const sentRows = await countSent(async () => {
    expect(await readTexts(select(1_000), limit)).toEqual({ rows: rowsOf(501), isCut: true });
  });
  expect(sentRows).toBe(502);
});

test('a first row that is longer than the limit → it is read, and no other', async () => {
  expect(await readTexts(select(2), { characters: 10 })).toEqual({ rows: rowsOf(1), isCut: true });
  expect(await readTexts(select(1), { characters: 10 })).toEqual({ rows: rowsOf(1), isCut: false });
});

test('rows with null in the first column → they are read, and do not count', async () => {
  const query = `SELECT NULL::int, repeat('y', 2000) UNION ALL (${select(2)})`;
  const read = await readTexts(query, { characters: ROW - 1 });
  expect(read).toEqual({ rows: [[null, 'y'.repeat(2000)], ...rowsOf(1)], isCut: true });
});

test.each([false, true])('no rows in portions, and short rows (prepared: %s) → as they are', async (isPrepared) => {
  const none = `SELECT n FROM generate_series(1, $1::int) AS n WHERE n < 0`;
  expect(await readTexts(none, { rowsInPortions: 1_000, isPrepared })).toEqual({ rows: [], isCut: false });
  const short = `SELECT n FROM generate_series(1, $1::int) AS n`;
  const { rows } = await readTexts(short, { rowsInPortions: 1_000, characters: 500 * 403, isPrepared });
  expect(rows).toHaveLength(501);
});

describe('one connection', () => {
  let client: pg.Client;
  let embedded: EmbeddedDatabase | null;
  beforeAll(async () => {
    const { location } = testDatabase;
    embedded = 'url' in location ? null : await openEmbedded(location.dataDir);
    client = createClient('url' in location ? { connectionString: location.url } : (embedded?.client ?? {}));
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await embedded?.close();
  });

  const read = (text: string, signal?: AbortSignal) =>
    new Promise<TextRow[]>((resolve, reject) => {
      const limit = { characters: Number.POSITIVE_INFINITY, onCut: () => undefined, rowsInPortions: 1_000, signal };
      const query = new TextRowQuery({ text, values: [TEXT.length], name: hash('sha1', text) }, limit);
      const callback = (error: Error | null, result: { rows: TextRow[] }) => (error ? reject(error) : resolve(result.rows));
      client.query(query, callback as never);
    });

  test.each([
    ['in the first portion', 'SELECT 1 / (n - 5), $1::int FROM generate_series(1, 1000) AS n', '22012'],
    ['in the second portion', 'SELECT 1 / (n - 200), $1::int FROM generate_series(1, 1000) AS n', '22012'],
    ['before the first portion', 'SELECT missing, $1::int', '42703'],
  ])('an error %s → the error; the next queries get their own rows', async (_, failing, code) => {
    await expect(read(failing)).rejects.toMatchObject({ code });
    expect(await read(select(200))).toEqual(rowsOf(200));
    expect(await read(select(3))).toEqual(rowsOf(3));
  });

  test('a signal that is aborted between two portions → an error after the portion; the next queries get their own rows', async () => {
    const sent = await countSent(async () => {
      await expect(read(select(1_000), AbortSignal.abort())).rejects.toThrow('aborted between two portions');
    });
    expect(sent).toBe(128);
    expect(await read(select(200))).toEqual(rowsOf(200));
    expect(await read(select(3))).toEqual(rowsOf(3));
  });
});
