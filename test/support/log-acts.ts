import { execFileSync } from 'node:child_process';
import pg from 'pg';
import type { Postgres } from '../../bench/postgres.mjs';
import { withClient } from '../../bench/postgres.mjs';

/** Changes of a log's database by people, programs and failures, other than new events. */
export interface LogActs {
  readonly names: readonly string[];
  /** Does one of them; `random` returns numbers from 0 to 1. */
  act(name: string, random: () => number): Promise<void>;
}

const DATABASE = 'gateway';
const SNAPSHOT = 'snapshot';

const insert = (into: string, ids: string) => `
  INSERT INTO ${into} (id, type, created_by, feature_name, project)
  SELECT id, 'feature-created', 'x', 'f' || id % 3, 'p' || id % 2 FROM (${ids}) AS new(id) ON CONFLICT DO NOTHING`;
const APPEND = insert('events', `SELECT nextval('events_id_seq') FROM generate_series(1, 3)`);

/** The tables and sequences of the log, as a data-only restore replaces them. */
const SAVE = `
  DROP SCHEMA IF EXISTS saved CASCADE; CREATE SCHEMA saved;
  CREATE TABLE saved.events AS SELECT * FROM events;
  CREATE TABLE saved.log AS SELECT * FROM gateway_event_log;
  CREATE TABLE saved.sequences AS SELECT (SELECT last_value FROM events_id_seq) AS ids, (SELECT last_value FROM gateway_settled_event_id) AS settled`;
const RESTORE_DATA = `
  BEGIN; SET LOCAL session_replication_role = replica;
  ALTER TABLE events DISABLE TRIGGER ALL;
  DELETE FROM events; DELETE FROM gateway_event_log;
  INSERT INTO gateway_event_log SELECT * FROM saved.log; INSERT INTO events SELECT * FROM saved.events;
  SELECT setval('events_id_seq', ids), setval('gateway_settled_event_id', settled) FROM saved.sequences;
  SELECT gateway_watch_events(); COMMIT`;
const RESTORE_TABLE = `
  BEGIN; CREATE TABLE restored (LIKE events INCLUDING ALL); INSERT INTO restored SELECT * FROM saved.events;
  ALTER SEQUENCE events_id_seq OWNED BY NONE; DROP TABLE events; ALTER TABLE restored RENAME TO events;
  ALTER SEQUENCE events_id_seq OWNED BY events.id;
  SELECT setval('events_id_seq', ids), setval('gateway_settled_event_id', settled) FROM saved.sequences;
  SELECT gateway_watch_events(); COMMIT`;

const SOME = (table: string) => `SELECT id FROM ${table} ORDER BY random() LIMIT 3`;
const changes = (table: string): Record<string, string> => ({
  delete: `DELETE FROM ${table} WHERE id IN (${SOME(table)})`,
  update: `UPDATE ${table} SET feature_name = 'f1' WHERE id IN (${SOME(table)})`,
  truncate: `TRUNCATE ${table}`,
});

/** @param server a server of its own, because a crash ends all of its connections */
export async function createLogActs(server: Postgres, isPartitioned: boolean): Promise<LogActs> {
  const url = server.urlOf(DATABASE);
  const run = (sql: string) => withClient(url, (client: pg.Client) => client.query(sql));
  /** A partition with events, or the table itself. */
  const findPart = async (random: () => number): Promise<string> => {
    const { rows } = await run(`SELECT relid::regclass::text AS name FROM pg_partition_tree('events') WHERE isleaf ORDER BY 1`);
    return rows[Math.floor(random() * rows.length)]?.name ?? 'events';
  };
  const below = insert(
    'events',
    `SELECT n FROM generate_series(1, (SELECT coalesce(max(id), 1) FROM events)) AS n
    WHERE NOT EXISTS (SELECT FROM events WHERE id = n) LIMIT 2`,
  );

  const acts: Record<string, (random: () => number) => Promise<unknown>> = {
    append: () => run(APPEND),
    'append twice': async () => [await run(APPEND), await run(APPEND)],
    'insert below': () => run(below),
    save: () => run(SAVE),
    'restore the data': () => run(RESTORE_DATA),
    'empty gateway_event_log': () => run('DELETE FROM gateway_event_log'),
    'lose the tail in a crash': async () => {
      await withClient(url, async (client: pg.Client) => {
        await client.query(`SET synchronous_commit = off; ${APPEND}`);
        const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
        client.on('error', () => undefined);
        execFileSync('kill', ['-9', String(rows[0]?.pid)]);
      }).catch(() => undefined);
      await retry(() => run('SELECT 1'));
    },
    'take a snapshot': () => copyDatabase(server, SNAPSHOT, DATABASE),
    'rename the snapshot into place': () => copyDatabase(server, DATABASE, SNAPSHOT),
  };
  for (const role of ['origin', 'replica'])
    for (const kind of ['delete', 'update', 'truncate']) {
      const suffix = role === 'origin' ? '' : ' as a replica';
      acts[`${kind}${suffix}`] = () => run(`SET session_replication_role = ${role}; ${changes('events')[kind]}`);
      acts[`${kind} a part${suffix}`] = async (random) =>
        run(`SET session_replication_role = ${role}; ${changes(await findPart(random))[kind]}`);
    }
  if (isPartitioned) {
    acts['insert into a part'] = async () =>
      run(
        insert(
          'events_first',
          'SELECT n FROM generate_series(1, 40) AS n WHERE NOT EXISTS (SELECT FROM events WHERE id = n) LIMIT 2',
        ),
      );
    acts['drop a part and create it again'] = () =>
      run(`BEGIN; CREATE TABLE again (LIKE events_first INCLUDING ALL); DROP TABLE events_first; ALTER TABLE again RENAME TO events_first;
        ALTER TABLE events ATTACH PARTITION events_first FOR VALUES FROM (MINVALUE) TO (50); COMMIT`);
    acts['detach a part and attach it'] = async () => [
      await run('ALTER TABLE events DETACH PARTITION events_first'),
      await run('DELETE FROM events_first WHERE id % 3 = 0'),
      await run('ALTER TABLE events ATTACH PARTITION events_first FOR VALUES FROM (MINVALUE) TO (50)'),
    ];
  } else {
    acts['restore the table'] = () => run(RESTORE_TABLE);
  }
  await run(SAVE);
  await copyDatabase(server, SNAPSHOT, DATABASE);
  return {
    names: Object.keys(acts),
    async act(name, random) {
      // Reads and a change of partitions can wait for each other. PostgreSQL then cancels one of them.
      await retry(
        async () => acts[name]?.(random),
        (error) => error.code === DEADLOCK,
      );
    },
  };
}

/** Replaces one database by a copy of another, as tools for snapshots do. */
async function copyDatabase(server: Postgres, name: string, template: string): Promise<void> {
  await withClient(server.urlOf('postgres'), async (client: pg.Client) => {
    for (const database of [name, template])
      await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`);
    await client.query(`DROP DATABASE IF EXISTS copy WITH (FORCE)`);
    await client.query(`DROP DATABASE IF EXISTS replaced WITH (FORCE)`);
    await retry(async () => {
      await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${template}'`);
      await client.query(`CREATE DATABASE copy TEMPLATE ${template}`);
    });
    await retry(async () => {
      await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
      const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
      if (rowCount) await client.query(`ALTER DATABASE ${name} RENAME TO replaced`);
    });
    await client.query(`ALTER DATABASE copy RENAME TO ${name}`);
  });
}

/** The SQLSTATE of a statement that was canceled because of a deadlock. */
const DEADLOCK = '40P01';

const RECOVERY_MS = 60_000;

/** Repeats what fails while a gateway connects again, or while the server recovers. A server that is slow to end its processes takes over 5 s. */
export async function retry<Result>(
  work: () => Promise<Result>,
  isTemporary = (_: { readonly code?: unknown }) => true,
): Promise<Result> {
  for (const end = Date.now() + RECOVERY_MS; ; ) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > end || !isTemporary(error as { readonly code?: unknown })) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}
