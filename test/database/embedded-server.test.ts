import { execFile } from 'node:child_process';
import { type EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { serveDatabase } from '../../src/database/embedded/database-server.js';
import { type EmbeddedDatabase, openEmbedded } from '../../src/database/embedded/embedded.js';
import { type Engine, startEngine } from '../../src/database/embedded/engine.js';
import { EngineQueue } from '../../src/database/embedded/engine-queue.js';
import { openDatabase } from '../../src/database/open.js';
import { TextRowQuery } from '../../src/database/text-row-query.js';
import { waitUntil } from '../support/wait-until.js';

const run = promisify(execFile);

/** The beginning of the message with which each response ends. */
const READY_FOR_QUERY = 'Z\0\0\0\x05';

const SLOW = `SELECT count(*) FROM generate_series(1, 100000000) AS n WHERE n::text LIKE '%77777%'`;

let folder: string;
let database: EmbeddedDatabase;
let address: string;
let close: (() => Promise<void>) | null;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'gateway-test-'));
  ({ address, close } = await serveDatabase(folder, () => startEngine({})));
  database = await openEmbedded(folder);
});
afterAll(async () => {
  await close?.();
  await rm(folder, { recursive: true });
});

async function withClient<T>(work: (client: pg.Client) => Promise<T>, more: pg.ClientConfig = {}): Promise<T> {
  const client = new pg.Client({ ...database.client, ...more });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Encodes a simple query of PostgreSQL's protocol. */
function toQueryMessage(sql: string): Buffer {
  const header = Buffer.from('Q\0\0\0\0');
  header.writeInt32BE(4 + sql.length + 1, 1);
  return Buffer.concat([header, Buffer.from(`${sql}\0`)]);
}

/** Waits until the server has read what was sent before: it reads all sockets that have data, and a new client has to exchange messages. */
const acceptAnother = () => withClient(async () => undefined);
const isServing = () => withClient(async (client) => (await client.query('SELECT 1 AS one')).rows[0].one === 1);

test('a statement beyond its time limit → 57014, also after a part of the response; the others are served', async () => {
  for (const sql of [
    SLOW,
    `SELECT repeat('x', 10000), n FROM generate_series(1, 39) AS n UNION ALL (${SLOW.replace('count(*)', "'', count(*)::int")})`,
  ]) {
    await expect(withClient((client) => client.query(sql), { statement_timeout: 500 })).rejects.toMatchObject({ code: '57014' });
    expect(await isServing()).toBe(true);
  }
});

describe('an engine without a socket', () => {
  let engine: Engine;
  let queue: EngineQueue;
  beforeEach(async () => {
    engine = await startEngine({});
    queue = new EngineQueue(async () => engine);
    await queue.ready();
  });
  afterEach(() => queue.close());

  test.each([
    ['the time limit', 500],
    ['a cancel request', 0],
  ])('this thread is too busy to read a response before %s stops the batch → the batch succeeds', async (reason, timeoutMs) => {
    const client = {};
    const responding = queue.run(client, toQueryMessage('SELECT pg_sleep(0.3)'), timeoutMs, () => undefined);
    await setImmediate();
    if (reason === 'a cancel request') queue.cancel(client);
    // Blocks this thread. Afterwards, the timer that stops the batch is due before the messages of the engine are read.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);
    const ranMs = await responding;
    expect(ranMs).toBeGreaterThan(250);
    expect(ranMs).toBeLessThan(2_000);
    await queue.run(client, toQueryMessage('SELECT 1'), 0, () => undefined);
  });

  test('a killed engine → the next batch fails with the reason', async () => {
    await engine.kill();
    await expect(engine.run(toQueryMessage('SELECT 1'), () => undefined)).rejects.toThrow('The embedded database was stopped.');
  });
});

test('a response of about one piece → its end is in the last message of the thread', async () => {
  const file = new URL('../../src/database/embedded/engine-thread.mjs', import.meta.url);
  const thread = new Worker(file, { workerData: {}, execArgv: [] });
  const received: (Uint8Array | { readonly last: Uint8Array })[] = [];
  try {
    await once(thread, 'message');
    thread.on('message', (message) => received.push(message));
    for (let length = 65_460; length < 65_520; length += 5) {
      received.length = 0;
      thread.postMessage(toQueryMessage(`SELECT repeat('x', ${length})`));
      await waitUntil('the response is complete', () => received.some((message) => 'last' in message));
      const [end] = received.slice(-1);
      expect(Buffer.from(end && 'last' in end ? end.last : []).toString('latin1')).toContain(READY_FOR_QUERY);
    }
  } finally {
    await thread.terminate();
  }
});

test('a transaction → the others wait for its end; it sees no other statements in between', async () => {
  const order: string[] = [];
  await withClient((other) =>
    withClient(async (client) => {
      await client.query('BEGIN');
      const waiting = other.query('SELECT 1').then(() => order.push('other'));
      await acceptAnother();
      await client.query('SELECT 1');
      order.push('commit');
      await client.query('COMMIT');
      await waiting;
    }),
  );
  expect(order).toEqual(['commit', 'other']);
});

test('others keep the database busy for longer than a query and a new connection may take → the query waits', async () => {
  const waiting = await openDatabase({ dataDir: folder }, { statementTimeoutMs: 100 });
  const rows = await withClient(async (client) => {
    await client.query('BEGIN');
    const reading = waiting.read({ text: 'SELECT 1 AS one', values: [] });
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    await client.query('COMMIT');
    return reading;
  });
  expect(rows).toEqual([{ one: 1 }]);
  await waiting.close();
});

test('a client that disconnects after BEGIN, also one that pipelines it → the others are served', async () => {
  // The first response accepts the connection. The others belong to the three statements.
  for (const responses of [0, 1, 2, 3]) {
    const socket = connect(address);
    const startup = Buffer.alloc(9);
    startup.writeInt32BE(9, 0);
    startup.writeInt32BE(196_608, 4);
    socket.write(
      Buffer.concat([
        startup,
        toQueryMessage('SELECT count(*) FROM generate_series(1, 100000)'),
        toQueryMessage('BEGIN'),
        toQueryMessage('SELECT 1'),
      ]),
    );
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    await once(socket, 'connect');
    await waitUntil(`${responses} responses`, () => received.split(READY_FOR_QUERY).length > responses);
    socket.destroy();
    expect(await isServing()).toBe(true);
  }
});

test('a query in two portions, each within the time limit → 57014, because the limit counts both', async () => {
  // Each portion takes 1.28 seconds.
  const text = 'SELECT n, pg_sleep(0.01) FROM generate_series(1, 256) AS n';
  const texts = { characters: 1_000_000, onCut: () => undefined, rowsInPortions: 256 };
  const reading = withClient(
    (client) =>
      new Promise((resolve, reject) => {
        const callback = (error: Error | null, result: unknown) => (error ? reject(error) : resolve(result));
        client.query(new TextRowQuery({ text, values: [] }, texts), callback as never);
      }),
    { statement_timeout: 2_000 },
  );
  await expect(reading).rejects.toMatchObject({ code: '57014' });
  expect(await isServing()).toBe(true);
});

test.each([
  ['a portion of a query', 'SELECT n FROM generate_series(1, 1000) AS n', 'portalSuspended'],
  ['an error in a portion', 'SELECT 1 / (n - 1) FROM generate_series(1, 1000) AS n', 'errorMessage'],
])('a client that disconnects after %s → the others waited for it, and are served', async (_, text, received) => {
  const client = new pg.Client(database.client);
  client.on('error', () => undefined);
  await client.connect();
  const { connection } = client as unknown as { connection: EventEmitter & Record<string, (message?: object) => void> };
  const portion = once(connection, received);
  connection.parse?.({ text });
  connection.bind?.({});
  connection.execute?.({ rows: 1 });
  connection.flush?.();
  await portion;
  let isServed = false;
  const served = withClient((other) => other.query('SELECT 1')).then(() => {
    isServed = true;
  });
  await acceptAnother();
  if (received === 'portalSuspended') {
    const next = once(connection, received);
    connection.execute?.({ rows: 1 });
    connection.flush?.();
    await next;
  }
  expect(isServed).toBe(false);
  (connection as unknown as { stream: Socket }).stream.destroy();
  await served;
});

test('a message with an impossible length → an error, and the others are served', async () => {
  const socket = connect(address);
  socket.on('error', () => undefined);
  const startup = Buffer.alloc(9);
  startup.writeInt32BE(9, 0);
  startup.writeInt32BE(196_608, 4);
  socket.write(Buffer.concat([startup, Buffer.from('Q\xff\xff\xff\xff', 'latin1')]));
  await new Promise((resolve) => socket.once('close', resolve).resume());
  expect(await isServing()).toBe(true);
});

test('COPY from the client, a wrong COPY, and text of all kinds → as from PostgreSQL', async () => {
  const { from } = await import('pg-copy-streams');
  const { pipeline } = await import('node:stream/promises');
  await withClient(async (client) => {
    await client.query('CREATE TEMPORARY TABLE copied (id int, name text)');
    await pipeline(['1\ta\n', `2\t${'ü'.repeat(200_000)}\n`], client.query(from('COPY copied FROM STDIN')));
    expect((await client.query('SELECT id, length(name) AS length FROM copied ORDER BY id')).rows).toEqual([
      { id: 1, length: 1 },
      { id: 2, length: 200_000 },
    ]);
    await expect(pipeline(['x\ta\n'], client.query(from('COPY copied FROM STDIN')))).rejects.toMatchObject({ code: '22P02' });
    await expect(pipeline(['1\ta\n'], client.query(from('COPY missing FROM STDIN')))).rejects.toMatchObject({ code: '42P01' });
    expect((await client.query('SELECT $1::text AS text', ['ä\n"'])).rows).toEqual([{ text: 'ä\n"' }]);
  });
});

test('a process closes the database while it runs the batch of a client that has left → it waits for the end, and exits with 0', async () => {
  const script = `
    const { openEmbedded } = await import(${JSON.stringify(new URL('../../dist/database/embedded/embedded.js', import.meta.url).href)});
    const { default: pg } = await import('pg');
    const { once } = await import('node:events');
    const database = await openEmbedded(${JSON.stringify(path.join(folder, 'own'))});
    const client = new pg.Client(database.client);
    client.on('error', () => undefined);
    await client.connect();
    await client.query('BEGIN');
    const begun = once(client.connection.stream, 'data');
    const rows = "SELECT repeat('x', 10000), n FROM generate_series(1, 39) AS n";
    const slow = "SELECT '', count(*)::int FROM generate_series(1, 3000000) AS n WHERE n::text LIKE '%777%'";
    client.query(rows + ' UNION ALL ' + slow).catch(() => undefined);
    await begun;
    client.connection.stream.destroy();
    const later = new pg.Client(database.client);
    later.on('error', () => undefined);
    await later.connect();
    await database.close();
    console.log('closed');`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
  expect(stdout).toBe('closed\n');
});
