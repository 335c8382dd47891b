import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { type Database, openDatabase } from '../../src/database/open.js';
import { type Query, type Read, type ReadOptions, toDriverQuery } from '../../src/database/read.js';
import type { EventCriteria } from '../../src/events/event.js';
import { createEventStore } from '../../src/events/event.store.js';
import { createTotals } from '../../src/log-version/totals.js';
import { randomRuns } from '../support/random-runs.js';
import { createTestDatabase, isPostgres, type TestDatabase } from '../support/test-database.js';

const ALL: EventCriteria = {};
const PAGE = { offset: 0, limit: 20 };
/** A page with room for all matches: its length is the total where no count is cached. */
const LARGE_PAGE = { offset: 0, limit: 100_000 };
/** The number of reads with one filter before the next filter is used. */
const READS_OF_A_FILTER = 5;
const CRITERIA: readonly EventCriteria[] = [
  ALL,
  { featureNames: ['f1'] },
  { projects: ['p1', 'p2'], types: { names: ['feature-created'], orUnlisted: true } },
  { text: { literal: 'needle', in: ['data'] } },
];

const INSERT = `
  INSERT INTO events (type, created_by, feature_name, project, data)
  SELECT (ARRAY['feature-created', 'feature-updated', 'from-the-future'])[1 + n % 3], 'x', 'f' || n % 3, 'p' || n % 4,
    json_build_object('text', CASE WHEN n % 2 = 0 THEN 'needle' ELSE 'hay' END)
  FROM generate_series(1, $1::int) AS n`;
/** Inserts events with ids below existing ones, as an import or a person can do. */
const INSERT_BELOW = `
  INSERT INTO events (id, type, created_by, feature_name)
  SELECT gap, 'feature-created', 'x', 'f1' FROM (
    SELECT n AS gap FROM generate_series(1, (SELECT max(id) FROM events)) AS n WHERE NOT EXISTS (SELECT FROM events WHERE id = n) LIMIT $1::int
  ) AS gaps ON CONFLICT DO NOTHING`;
const DELETE = 'DELETE FROM events WHERE id IN (SELECT id FROM events ORDER BY random() LIMIT $1::int)';
const UPDATE = `UPDATE events SET feature_name = 'f1' WHERE id IN (SELECT id FROM events ORDER BY random() LIMIT $1::int)`;

/** Most statements add events, as in a real log. */
const statement = fc.record({
  sql: fc.oneof(
    { weight: 12, arbitrary: fc.constant(INSERT) },
    { weight: 1, arbitrary: fc.constantFrom(INSERT_BELOW, DELETE, UPDATE) },
  ),
  count: fc.integer({ min: 1, max: 3 }),
  pauseMs: fc.integer({ min: 0, max: 6 }),
});
const transaction = fc.record({
  statements: fc.array(statement, { minLength: 1, maxLength: 3 }),
  ends: fc.constantFrom('COMMIT', 'COMMIT', 'COMMIT', 'ROLLBACK'),
});
type Transaction = typeof transaction extends fc.Arbitrary<infer T> ? T : never;

/** The range for counting all events: their ids are above 0, so `newer` counts each of them. */
const ALL_EVENTS = { after: null, upTo: 0, isShort: false };

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('totals equal count(*) at every moment', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    testDatabase = await createTestDatabase('empty');
    database = await openDatabase(testDatabase.location);
    await database.read({ text: INSERT, values: [50] });
  });
  afterAll(async () => {
    await database.close();
    await testDatabase.drop();
  });

  (isPostgres ? test : test.skip)('several writers add, change and remove events → exact totals in two gateways', async () => {
    const url = 'url' in testDatabase.location ? testDatabase.location.url : '';
    const connect = async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      return client;
    };
    const clients = await Promise.all([connect(), connect(), connect(), connect(), connect()]);
    const [firstReader, secondReader, ...writers] = clients as [pg.Client, pg.Client, ...pg.Client[]];

    /** Creates a gateway that compares each of its totals with count(*) in the same snapshot. */
    const createReader = (client: pg.Client) => {
      let isSnapshotKept = false;
      const readByClient: Read = <Row extends object>(query: Query, options?: ReadOptions) =>
        new Promise<Row[]>((resolve, reject) => {
          client.query<Row>(toDriverQuery(query, options), (error, result) => (error ? reject(error) : resolve(result.rows)));
        });
      const read: Read = async <Row extends object>(query: Query, options?: ReadOptions) => {
        // The watermark is read on other connections, as in a gateway.
        const isTotal = query.text.includes('AS newer') || query.text.includes('AS head');
        if (!(isTotal && isSnapshotKept)) return database.read<Row>(query, options);
        // Each statement gets a new snapshot, because a watermark that is newer than a snapshot guarantees nothing about it.
        await client.query('ROLLBACK; BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
        return readByClient<Row>(query, options);
      };
      const totals = createTotals(createEventStore(read), 0);
      const store = createEventStore(readByClient);
      const countInSnapshot = async (criteria: EventCriteria) => (await store.count(criteria, ALL_EVENTS)).newer;
      let reads = 0;
      return async (criteria: EventCriteria): Promise<void> => {
        const another = { featureNames: ['f1', `none ${Math.floor(reads / READS_OF_A_FILTER)}`] };
        reads += 1;
        await totals.count(criteria);
        isSnapshotKept = true;
        expect((await totals.count(criteria)).count).toBe(await countInSnapshot(criteria));
        const page = await totals.countAndList(criteria, PAGE);
        const count = await countInSnapshot(criteria);
        expect({ count: page.count, onPage: page.events.length }).toEqual({ count, onPage: Math.min(count, PAGE.limit) });
        expect((await totals.countAndList(another, LARGE_PAGE)).count).toBe(await countInSnapshot(another));
        isSnapshotKept = false;
        await client.query('ROLLBACK');
      };
    };
    const readers = [createReader(firstReader), createReader(secondReader)];

    const write = async (writer: pg.Client, transactions: readonly Transaction[]) => {
      for (const { statements, ends } of transactions) {
        await writer.query('BEGIN');
        try {
          for (const { sql, count, pauseMs } of statements) {
            await writer.query(sql, [count]);
            await pause(pauseMs);
          }
          await writer.query(ends);
        } catch (error) {
          await writer.query('ROLLBACK');
          if ((error as pg.DatabaseError).code !== '40P01') throw error;
        }
      }
    };

    const schedule = fc.array(fc.array(transaction, { maxLength: 12 }), { minLength: writers.length, maxLength: writers.length });
    try {
      await fc.assert(
        fc.asyncProperty(schedule, async (all) => {
          let isWriting = true;
          const writing = Promise.all(writers.map((writer, index) => write(writer, all[index] ?? []))).finally(() => {
            isWriting = false;
          });
          const reading = readers.map(async (expectExact) => {
            do {
              for (const criteria of CRITERIA) await expectExact(criteria);
            } while (isWriting);
          });
          await Promise.all([writing, ...reading]);
        }),
        { numRuns: randomRuns(25) },
      );
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
  });

  (isPostgres ? test : test.skip)('an event is committed after one with a higher id → exact totals', async () => {
    const url = 'url' in testDatabase.location ? testDatabase.location.url : '';
    const late = new pg.Client({ connectionString: url });
    await late.connect();
    try {
      const store = createEventStore(database.read);
      const totals = createTotals(store, 0);
      await late.query('BEGIN');
      await late.query(INSERT, [1]);
      await database.read({ text: INSERT, values: [2] });
      const expectExact = async () => {
        const { newer } = await store.count(ALL, ALL_EVENTS);
        expect((await totals.count(ALL)).count).toBe(newer);
      };
      // Enough reads for the watermark to pass the open transaction if it did not wait for writers.
      for (let reads = 0; reads < 20; reads += 1) await expectExact();
      await late.query('COMMIT');
      for (let reads = 0; reads < 20; reads += 1) await expectExact();
    } finally {
      await late.end();
    }
  });

  test('one change at a time, also on the embedded database → exact totals', async () => {
    const store = createEventStore(database.read);
    const gateways = [createTotals(store, 0), createTotals(store, 0)];
    await fc.assert(
      fc.asyncProperty(statement, fc.constantFrom(...CRITERIA), async ({ sql, count }, criteria) => {
        await database.read({ text: sql, values: [count] });
        const { newer } = await store.count(criteria, ALL_EVENTS);
        for (const totals of gateways) expect((await totals.count(criteria)).count).toBe(newer);
      }),
      { numRuns: randomRuns(60) },
    );
  });

  test('a page with all matches → its total needs no count; later totals are exact', async () => {
    const queries: string[] = [];
    const store = createEventStore((query, options) => {
      queries.push(query.text);
      return database.read(query, options);
    });
    const totals = createTotals(store, 0);
    await totals.count(ALL);
    await database.read({ text: INSERT, values: [6] });
    const criteria = { featureNames: ['f1'] };
    queries.length = 0;
    const whole = await totals.countAndList(criteria, LARGE_PAGE);
    expect(whole).toMatchObject({ count: whole.events.length });
    expect(queries.filter((text) => text.includes('count('))).toEqual([]);

    await database.read({ text: INSERT, values: [6] });
    expect((await totals.countAndList(criteria, LARGE_PAGE)).count).toBe(whole.count + 2);
    expect((await totals.countAndList(criteria, PAGE)).count).toBe(whole.count + 2);
    expect((await totals.countAndList({ ...criteria, projects: ['p1'] }, { offset: 0, limit: 1 })).count).toBeGreaterThan(1);
  });

  test('events that were counted once → not counted again', async () => {
    const counted: (number | null)[] = [];
    const store = createEventStore(database.read);
    const totals = createTotals(
      {
        ...store,
        count: (criteria, range) => {
          counted.push(range.after);
          return store.count(criteria, range);
        },
      },
      0,
    );
    const { highestId } = await store.readEnd();
    await totals.count(ALL);
    await database.read({ text: INSERT, values: [5] });
    await totals.count(ALL);
    expect(counted).toEqual([highestId, highestId]);
  });
});
