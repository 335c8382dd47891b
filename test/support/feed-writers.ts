import fc from 'fast-check';
import pg from 'pg';

/** Adds events above all others. */
export const INSERT = `
  INSERT INTO events (type, created_by, feature_name, project, data)
  SELECT (ARRAY['feature-created', 'feature-updated'])[1 + n % 2], 'x', 'f' || n % 3, 'p' || n % 3, '{}'
  FROM generate_series(1, $1::int) AS n`;

/** Inserts events with ids below others, as an import or a mirror does. Ids of transactions that were rolled back are free. */
export const INSERT_BELOW = `
  INSERT INTO events (id, type, created_by, feature_name, project)
  SELECT gap, 'feature-created', 'import', 'f1', 'p1' FROM (
    SELECT n AS gap FROM generate_series(1, (SELECT max(id) FROM events)) AS n
    WHERE NOT EXISTS (SELECT FROM events WHERE id = n) ORDER BY random() LIMIT $1::int
  ) AS gaps ON CONFLICT DO NOTHING`;

/** Takes ids that no event gets, as a rolled-back transaction does. */
export const SKIP_IDS = `SELECT nextval('events_id_seq') FROM generate_series(1, $1::int)`;

/** The first pause is within a move of the watermark, and the last one takes several. */
const PAUSES_MS = [0, 5, 50, 400, 900];

const statement = (sql: fc.Arbitrary<string>) =>
  fc.record({ sql, count: fc.integer({ min: 1, max: 3 }), pauseMs: fc.constantFrom(...PAUSES_MS) });

const transaction = (sql: fc.Arbitrary<string>) =>
  fc.record({
    statements: fc.array(statement(sql), { minLength: 1, maxLength: 3 }),
    ends: fc.constantFrom(
      'commit',
      'commit',
      'commit',
      'roll back',
      'roll back to a savepoint',
      'prepare and commit',
      'prepare and roll back',
    ),
  });

export type WriterTransaction = typeof transaction extends (...args: never[]) => fc.Arbitrary<infer T> ? T : never;

/** Reads nothing, so that its transaction gets no number and holds up no watermark. */
const WAIT = 'SELECT $1::int';

/** Adds an event, lets the readers reach it, and adds others below it. */
export const ADDED_BELOW: readonly WriterTransaction[] = [
  {
    statements: [
      { sql: SKIP_IDS, count: 3, pauseMs: 0 },
      { sql: INSERT, count: 1, pauseMs: 0 },
    ],
    ends: 'commit',
  },
  { statements: [{ sql: WAIT, count: 1, pauseMs: 1500 }], ends: 'commit' },
  { statements: [{ sql: INSERT_BELOW, count: 3, pauseMs: 0 }], ends: 'commit' },
];

/** @param addsBelow whether events are also added below others */
export function writerTransactions(addsBelow: boolean): fc.Arbitrary<WriterTransaction[]> {
  const below = { weight: addsBelow ? 2 : 0, arbitrary: fc.constant(INSERT_BELOW) };
  const sql = fc.oneof({ weight: 5, arbitrary: fc.constant(INSERT) }, below);
  return fc.array(transaction(sql), { minLength: 2, maxLength: 5 });
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let prepared = 0;

/** Runs the transactions one after another on a connection of its own. */
export async function writeTransactions(url: string, transactions: readonly WriterTransaction[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  // A query fails if its connection ends. Without a listener, the process would end, too.
  client.on('error', () => undefined);
  await client.connect();
  try {
    for (const { statements, ends } of transactions) {
      await client.query('BEGIN');
      try {
        if (ends === 'roll back to a savepoint') await client.query('SAVEPOINT before');
        for (const { sql, count, pauseMs } of statements) {
          await client.query(sql, [count]);
          await pause(pauseMs);
        }
        await end(client, ends);
      } catch (error) {
        await client.query('ROLLBACK');
        // Two transactions that add events below others wait for each other.
        if ((error as pg.DatabaseError).code !== '40P01') throw error;
      }
    }
  } finally {
    await client.end();
  }
}

async function end(client: pg.Client, ends: string): Promise<void> {
  if (ends === 'commit') await client.query('COMMIT');
  else if (ends === 'roll back') await client.query('ROLLBACK');
  else if (ends === 'roll back to a savepoint') await client.query('ROLLBACK TO before; COMMIT');
  else {
    prepared += 1;
    const name = `feed-${process.pid}-${prepared}`;
    await client.query(`PREPARE TRANSACTION '${name}'`);
    await pause(300);
    await client.query(`${ends === 'prepare and commit' ? 'COMMIT' : 'ROLLBACK'} PREPARED '${name}'`);
  }
}
