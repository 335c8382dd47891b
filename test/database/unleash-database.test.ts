import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { parseConfig } from '../../src/config.js';
import { openDatabase } from '../../src/database/open.js';
import type { Read } from '../../src/database/read.js';
import { inspectUnleashDatabase } from '../../src/database/unleash-database.js';
import { EVENT_COLUMN_NAMES } from '../../src/events/event-columns.store.js';
import { type Gateway, startGateway } from '../../src/gateway.js';
import { readGrants } from '../support/grants.js';
import { startHttpServer } from '../support/http-server.js';
import { openFeed } from '../support/read-feed.js';
import { runCommand, spawnCommand } from '../support/run-command.js';
import { createTestDatabase, isPostgres, type TestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';

/** The responses of the Unleash server, by token. */
const USERS: Readonly<Record<string, unknown>> = {
  admin: { user: { id: 1, email: 'admin@example.com' }, permissions: [{ permission: 'ADMIN' }] },
  viewer: { user: { id: 2, username: 'viewer' }, permissions: [] },
};

const respondWithUser: RequestListener = ({ headers }, response) => {
  const user = USERS[headers.authorization ?? ''];
  response.writeHead(user ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(user ?? {}));
};

/** Turns the gateway's own database into a stand-in for an Unleash database: drops what only the gateway has. */
const MAKE_UNLEASH_DATABASE = `
  DROP TRIGGER gateway_events_added ON events; DROP TRIGGER gateway_events_changed ON events;
  DROP TABLE gateway_api_token, gateway_event_log, gateway_mirror, gateway_rate_limit, gateway_idempotency_key, _prisma_migrations; DROP SEQUENCE gateway_settled_event_id;
  ALTER TABLE users ALTER COLUMN created_at TYPE timestamp, ADD password_hash text;
  ALTER TABLE events ADD ip text;
  UPDATE events SET announced = true;`;

(isPostgres ? describe : describe.skip)('on the database of an Unleash server', () => {
  let database: TestDatabase;
  let server: Awaited<ReturnType<typeof startHttpServer>>;
  let gateway: Gateway;
  let url: string;

  const execute = async <Row extends object>(sql: string, on = url) => {
    const client = new pg.Client({ connectionString: on });
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  const environment = (databaseUrl: string) => ({
    DATABASE_URL: databaseUrl,
    DATABASE_SCHEMA: 'unleash',
    UNLEASH_URL: server.url,
    UNLEASH_TOKEN_CACHE_MS: '0',
  });
  const start = (databaseUrl: string) =>
    startGateway(parseConfig({ PORT: '0', GRAPHIQL: 'false', ...environment(databaseUrl) }), {
      logDestination: { write: () => undefined },
    });
  const search = async (token: string, parameters = '') => {
    const response = await fetch(`${gateway.url}/api/admin/search/events?${parameters}`, { headers: { authorization: token } });
    // biome-ignore lint/suspicious/noExplicitAny: a response body can be anything; tests inspect it
    return { status: response.status, etag: response.headers.get('etag'), body: (await response.json()) as any };
  };
  const create = (token: string, expiresAt = '2099-01-01T00:00:00Z') =>
    fetch(`${gateway.url}/api/admin/invite-link/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: token },
      body: JSON.stringify({ name: 'x', expiresAt }),
    });

  const inspect = async (asRole: string) => {
    const inspected = await openDatabase({ url: asRole });
    try {
      return await inspectUnleashDatabase(inspected.read, EVENT_COLUMN_NAMES);
    } finally {
      await inspected.close();
    }
  };
  const suffix = () => new URL(url).pathname.slice(-12);
  const roles: string[] = [];
  /** Creates a role with the rights of docs/grants.sql. @returns the database URL for that role */
  const createRole = async (role: string, on = url): Promise<string> => {
    await execute(`CREATE ROLE ${role} LOGIN; ${await readGrants(role)}`, on);
    roles.push(role);
    const asRole = new URL(on);
    asRole.username = role;
    return asRole.href;
  };

  beforeAll(async () => {
    database = await createTestDatabase('log');
    url = 'url' in database.location ? database.location.url : '';
    await execute(MAKE_UNLEASH_DATABASE);
    server = await startHttpServer(respondWithUser);
    gateway = await start(await createRole(`gateway_${suffix()}`));
  });
  afterAll(async () => {
    await gateway?.stop();
    await server?.stop();
    for (const role of roles) await execute(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await database.drop();
  });

  test('the own database of a gateway → refused', async () => {
    const own = await createTestDatabase('empty');
    try {
      await expect(inspect('url' in own.location ? own.location.url : '')).rejects.toThrow('a database of the gateway itself');
    } finally {
      await own.drop();
    }
  });

  test('an export → every event up to the highest id, without triggers of the gateway', async () => {
    const [log] = await execute<{ count: number; highest: number }>(
      'SELECT count(*)::int AS count, max(id) AS highest FROM events',
    );
    const response = await fetch(`${gateway.url}/v1/events/export`, { headers: { authorization: 'admin' } });
    const lines = (await response.text()).split('\n').slice(0, -1);
    expect([response.status, lines.length]).toEqual([200, log?.count]);
    expect(response.headers.get('x-export-up-to')).toBe(String(log?.highest));
    expect(response.headers.get('x-export-count')).toBe(String(log?.count));
  });

  test('the feed → every event, and those that are added; 410 once the last ones are removed, also within a stream', async () => {
    const insert = `INSERT INTO events (type, created_by) VALUES ('feature-created', 'x') RETURNING id`;
    const add = async () => (await execute<{ id: number }>(insert))[0]?.id;
    const read = async (after: string) => {
      const response = await fetch(`${gateway.url}/v1/events/feed?after=${after}`, { headers: { authorization: 'admin' } });
      const body = (await response.json()) as { events?: { id: number }[]; next: string; newest: string };
      return { status: response.status, ids: body.events?.map(({ id }) => id), next: body.next, newest: body.newest };
    };
    const all = (await execute<{ id: number }>('SELECT id FROM events ORDER BY id')).map(({ id }) => id);
    const ids: number[] = [];
    let whole = await read('start');
    for (; whole.ids?.length; whole = await read(whole.next)) ids.push(...whole.ids);
    expect(ids).toEqual(all);
    const id = await add();
    const later = await read(whole.next);
    expect(later.ids).toEqual([id]);

    const stop = new AbortController();
    const reading = { token: 'admin', format: 'sse', signal: stop.signal } as const;
    const { messages } = await openFeed(gateway.url, `after=${later.next}`, reading);
    expect((await messages.next()).value).toMatchObject({ upToDate: true });
    await execute(`DELETE FROM events WHERE id = ${id}`);
    expect((await messages.next()).value?.error?.name).toBe('FeedResetError');
    stop.abort();
    const { status, newest } = await read(later.next);
    expect(status).toBe(410);
    const next = await add();
    expect((await read(newest)).ids).toEqual([next]);
    await execute(`DELETE FROM events WHERE id = ${next}`);
  });

  test('the rights of docs/grants.sql → reads, counts, and creates in the name of the caller', async () => {
    const [counted] = await execute<{ count: number }>('SELECT count(*)::int AS count FROM events');
    expect((await search('admin')).body.total).toBe(counted?.count);
    const created = await create('admin');
    expect([created.status, await created.json()]).toEqual([
      201,
      expect.objectContaining({ createdBy: 'admin@example.com', url: expect.stringContaining(`${server.url}/new-user?invite=`) }),
    ]);
    const { body } = await search('admin', 'limit=1');
    expect(body.total).toBe((counted?.count ?? 0) + 1);
    expect(body.events).toMatchObject([
      { type: 'public-signup-token-created', createdBy: 'admin@example.com', createdByUserId: 1 },
    ]);
  });

  test.each(['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
    'an invitation that ends today in %s, the time zone of the database → 400 with the reason; tomorrow → 201',
    async (zone) => {
      const name = new URL(url).pathname.slice(1);
      const asRole = await createRole(`zone_${zone.length}_${suffix()}`);
      const before = gateway;
      try {
        await execute(`ALTER DATABASE ${name} SET timezone = '${zone}'`);
        gateway = await start(asRole);
        const [day] = await execute<{ tomorrow: Date }>(
          `SELECT ((now() AT TIME ZONE '${zone}')::date + 1)::timestamp AT TIME ZONE '${zone}' AS tomorrow`,
        );
        const tomorrow = day?.tomorrow ?? new Date(Number.NaN);
        const today = await create('admin', new Date(tomorrow.getTime() - 1).toISOString());
        expect([today.status, await today.json()]).toEqual([
          400,
          expect.objectContaining({
            name: 'BadDataError',
            message: expect.stringContaining('must be after the present day, because Unleash compares days'),
          }),
        ]);
        expect((await create('admin', tomorrow.toISOString())).status).toBe(201);
      } finally {
        if (gateway !== before) await gateway.stop();
        gateway = before;
        await execute(`ALTER DATABASE ${name} RESET timezone`);
      }
    },
  );

  test.each([
    ['the time', `INSERT INTO events (type, created_by, created_at) VALUES ('feature-created', 'x', now())`],
    ['the project', `INSERT INTO events (type, created_by, project) VALUES ('feature-created', 'x', 'default')`],
    ['the flag', `INSERT INTO events (type, created_by, feature_name) VALUES ('feature-created', 'x', 'x')`],
    ['the id', `INSERT INTO events (id, type, created_by) VALUES (1000000, 'feature-created', 'x')`],
    ['a change', `UPDATE events SET type = 'feature-created'`],
    ['a deletion', 'DELETE FROM public_signup_tokens'],
    [
      'the time of a token',
      `INSERT INTO public_signup_tokens (secret, expires_at, created_at, role_id) VALUES ('x', now(), now(), 3)`,
    ],
  ])('%s, written with the rights of docs/grants.sql → PostgreSQL refuses it', async (_, sql) => {
    const asRole = new URL(url);
    asRole.username = roles[0] ?? '';
    await expect(execute(sql, asRole.href)).rejects.toThrow('permission denied');
  });

  test('a missing right to insert into one column → a creation is 403', async () => {
    const role = `partly_${suffix()}`;
    const asRole = await createRole(role);
    await execute(`REVOKE INSERT (announced) ON events FROM ${role}`);
    const other = await start(asRole);
    try {
      const response = await fetch(`${other.url}/api/admin/invite-link/tokens`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'admin' },
        body: JSON.stringify({ name: 'x', expiresAt: '2099-01-01T00:00:00Z' }),
      });
      expect([response.status, await response.json()]).toEqual([403, expect.objectContaining({ name: 'NotSupportedHereError' })]);
      expect((await inspect(asRole)).unwritable).toEqual(['events']);
    } finally {
      await other.stop();
    }
  });

  test('a catalog that returns its rows in any order → the same findings', async () => {
    const inspected = await openDatabase({ url: await createRole(`gateway_order_${suffix()}`) });
    try {
      const reversed: Read = async (query, ...options) => (await inspected.read(query, ...options)).reverse() as never;
      expect(await inspectUnleashDatabase(reversed, EVENT_COLUMN_NAMES)).toEqual(
        await inspectUnleashDatabase(inspected.read, EVENT_COLUMN_NAMES),
      );
    } finally {
      await inspected.close();
    }
  });

  test('a viewer → no events without a project, 403 for a creation; an unknown token → 401', async () => {
    const [counted] = await execute<{ count: number }>('SELECT count(project)::int AS count FROM events');
    const { body } = await search('viewer', 'limit=1000');
    expect(body.total).toBe(counted?.count);
    expect(body.events.some(({ project }: { project: string | null }) => project === null)).toBe(false);
    expect((await create('viewer')).status).toBe(403);
    expect((await search('nobody')).status).toBe(401);
  });

  test('an event is added → another total and entity tag; an event is deleted → another total', async () => {
    const before = await search('admin');
    await execute(`INSERT INTO events (type, created_by) VALUES ('feature-created', 'x')`);
    const after = await search('admin');
    expect(after.body.total).toBe(before.body.total + 1);
    expect(after.etag).not.toBe(before.etag);

    await execute('DELETE FROM events WHERE id = (SELECT min(id) FROM events)');
    // PostgreSQL reports deleted rows when the connection is closed, or up to a second later.
    await waitUntil('the total is that of before', async () => (await search('admin')).body.total === before.body.total);
  });

  test.each([
    ['ALTER TABLE events RENAME pre_data TO before', 'ALTER TABLE events RENAME before TO pre_data', 'lacks events (pre_data)'],
    [
      'ALTER TABLE public_signup_tokens_user RENAME TO x',
      'ALTER TABLE x RENAME TO public_signup_tokens_user',
      'lacks table public_signup_tokens_user',
    ],
  ])('%s → a start error that names what is missing', async (change, revert, words) => {
    await execute(change);
    try {
      await expect(start(url)).rejects.toThrow(words);
    } finally {
      await execute(revert);
    }
  });

  test('an extreme time in a column without a time zone → the same time in UTC', async () => {
    await execute(`
      INSERT INTO users (id, created_at) VALUES (76, '0044-03-15 12:00 BC');
      INSERT INTO public_signup_tokens (secret, name, expires_at, role_id) VALUES ('zoneless', 'x', now(), 3);
      INSERT INTO public_signup_tokens_user (secret, user_id) VALUES ('zoneless', 76)`);
    const response = await fetch(`${gateway.url}/api/admin/invite-link/tokens/zoneless`, { headers: { authorization: 'admin' } });
    expect([response.status, await response.json()]).toEqual([
      200,
      expect.objectContaining({ users: [expect.objectContaining({ id: 76, createdAt: '-000043-03-15T12:00:00.000Z' })] }),
    ]);
  });

  test('user columns that a version of Unleash lacks → absent or null, also beside extreme times', async () => {
    await execute('ALTER TABLE users DROP COLUMN scim_id, DROP COLUMN seen_at, DROP COLUMN created_at');
    await execute(`
      INSERT INTO users (id, email) VALUES (77, 'joined@example.com');
      INSERT INTO public_signup_tokens (secret, name, expires_at, role_id)
      VALUES ('s3cret', 'x', now(), 3), ('ancient', 'x', '0001-01-01 00:00Z BC', 3);
      INSERT INTO public_signup_tokens_user (secret, user_id) VALUES ('s3cret', 77), ('ancient', 77)`);
    const other = await start(await createRole(`another_${suffix()}`));
    try {
      for (const [secret, expiresAt] of [
        ['s3cret', expect.stringMatching(/^2/)],
        ['ancient', '0000-01-01T00:00:00.000Z'],
      ]) {
        const response = await fetch(`${other.url}/api/admin/invite-link/tokens/${secret}`, {
          headers: { authorization: 'admin' },
        });
        expect([response.status, await response.json()]).toEqual([
          200,
          expect.objectContaining({
            expiresAt,
            users: [expect.objectContaining({ id: 77, email: 'joined@example.com', seenAt: null })],
          }),
        ]);
      }
    } finally {
      await other.stop();
    }
  });

  test('tables in a schema other than public → all operations work; no USAGE on it → a start error that names the grant', async () => {
    await execute(`
      CREATE SCHEMA elsewhere;
      CREATE TABLE elsewhere.events (LIKE events INCLUDING ALL);
      CREATE SEQUENCE elsewhere.events_id_seq OWNED BY elsewhere.events.id;
      ALTER TABLE elsewhere.events ALTER id SET DEFAULT nextval('elsewhere.events_id_seq');
      CREATE TABLE elsewhere.users (LIKE users INCLUDING ALL);
      CREATE TABLE elsewhere.roles (LIKE roles INCLUDING ALL);
      CREATE TABLE elsewhere.role_user (LIKE role_user INCLUDING ALL);
      CREATE TABLE elsewhere.public_signup_tokens (LIKE public_signup_tokens INCLUDING ALL);
      CREATE TABLE elsewhere.public_signup_tokens_user (LIKE public_signup_tokens_user INCLUDING ALL);
      INSERT INTO elsewhere.roles (id, name, type) VALUES (33, 'Viewer', 'root')`);
    const elsewhere = new URL(url);
    elsewhere.searchParams.set('options', '-c search_path=elsewhere');
    const role = `elsewhere_${suffix()}`;
    const asRole = await createRole(role, elsewhere.href);
    const before = await execute('SELECT count(*)::int AS count FROM public.public_signup_tokens');
    const other = await start(asRole);
    try {
      const created = await fetch(`${other.url}/api/admin/invite-link/tokens`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'admin' },
        body: JSON.stringify({ name: 'x', expiresAt: '2099-01-01T00:00:00Z' }),
      });
      const { secret, role: given } = (await created.json()) as { secret: string; role: { id: number } };
      expect({ status: created.status, role: given.id }).toEqual({ status: 201, role: 33 });
      expect(await execute('SELECT secret FROM elsewhere.public_signup_tokens')).toEqual([{ secret }]);
      expect(await execute('SELECT count(*)::int AS count FROM elsewhere.events')).toEqual([{ count: 1 }]);
      expect(await execute('SELECT count(*)::int AS count FROM public.public_signup_tokens')).toEqual(before);
      const location = created.headers.get('location') ?? '';
      expect((await fetch(`${other.url}${location}`, { headers: { authorization: 'admin' } })).status).toBe(200);
    } finally {
      await other.stop();
    }
    await execute(`REVOKE USAGE ON SCHEMA elsewhere FROM ${role}`);
    await expect(start(asRole)).rejects.toThrow('GRANT USAGE ON SCHEMA');
  });

  test('a creation with an idempotency key → 400 with the reason', async () => {
    const response = await fetch(`${gateway.url}/api/admin/invite-link/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'admin', 'idempotency-key': 'a' },
      body: JSON.stringify({ name: 'x', expiresAt: '2099-01-01T00:00:00Z' }),
    });
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ message: expect.stringContaining('without an idempotency key') }),
    ]);
  });

  test('a command that would change the database → an error', async () => {
    for (const args of [['migrate'], ['import', '-'], ['token', 'list'], ['mirror', '--from', server.url, '--token', 'x']]) {
      const { code, stderr } = await runCommand(environment(url), args);
      expect([code, stderr]).toEqual([1, expect.stringContaining('DATABASE_SCHEMA is unleash')]);
    }
  });

  describe('indexes', () => {
    const names = async () => {
      const rows = await execute<{ name: string }>(
        `SELECT relname AS name FROM pg_class WHERE relname LIKE 'gateway_events_%' AND relkind = 'i' ORDER BY 1`,
      );
      return rows.map(({ name }) => name);
    };

    test('advice → only missing indexes, whatever the others are named; --drop → drops only indexes of the gateway', async () => {
      await execute('DROP INDEX events_data_trigram_idx, events_type_created_at_id_idx');
      const { stdout } = await runCommand(environment(url), ['indexes']);
      expect(stdout.match(/^CREATE INDEX.*$/gm)).toEqual([
        'CREATE INDEX CONCURRENTLY gateway_events_type_created_at ON events USING btree (type, created_at DESC, id DESC);',
        'CREATE INDEX CONCURRENTLY gateway_events_data_trigrams ON events USING gin (((data)::text) gin_trgm_ops);',
      ]);
      await execute(stdout.replaceAll(' CONCURRENTLY', ''));
      expect(await names()).toEqual(['gateway_events_data_trigrams', 'gateway_events_type_created_at']);
      expect((await runCommand(environment(url), ['indexes'])).stdout).toContain('0 indexes are missing');
      expect((await runCommand(environment(url), ['indexes', '--drop'])).stdout).toMatch(
        /^Dropped gateway_events_\w+, gateway_events_\w+\n$/,
      );
      expect(await names()).toEqual([]);
    });

    test('an invalid index that an interrupted build left → built again', async () => {
      await execute('CREATE INDEX gateway_events_type_created_at ON events (type, created_at DESC, id DESC)');
      await execute(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'gateway_events_type_created_at'::regclass`);
      const { stdout } = await runCommand(environment(url), ['indexes', '--apply']);
      expect(stdout).toContain('2 indexes built, 8 already existed');
      expect((await runCommand(environment(url), ['indexes'])).stdout).toContain('0 indexes are missing');
      await runCommand(environment(url), ['indexes', '--drop']);
    });

    test('a role without the right → an error, and no index is reported as built', async () => {
      const { code, stdout, stderr } = await runCommand(environment(await createRole(`reader_${suffix()}`)), [
        'indexes',
        '--apply',
      ]);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^The database rejected the command: must be owner of table events\. Name a role in DATABASE_URL/);
    });

    test('SIGINT while PostgreSQL builds → the build is canceled, and the next run completes', async () => {
      const blocker = new pg.Client({ connectionString: url });
      await blocker.connect();
      // CREATE INDEX CONCURRENTLY waits for open transactions, which may still write without the index.
      await blocker.query(`BEGIN; INSERT INTO events (type, created_by) VALUES ('feature-created', 'x')`);
      const child = spawn(process.execPath, ['dist/main.js', 'indexes', '--apply'], {
        env: { PATH: process.env.PATH, ...environment(url) },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let stderr = '';
      child.stderr.on('data', (chunk) => {
        stderr += chunk;
      });
      const building = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'CREATE INDEX CONCURRENTLY%' AND state = 'active'`;
      while ((await execute(building)).length === 0) expect(child.exitCode).toBeNull();
      child.kill('SIGINT');
      const [code] = await once(child, 'close');
      expect({ code, stderr }).toEqual({ code: 1, stderr: 'Stopped. Run the command again to continue.\n' });
      expect(await execute(building)).toEqual([]);
      await blocker.query('ROLLBACK');
      await blocker.end();
      expect((await runCommand(environment(url), ['indexes', '--apply'])).code).toBe(0);
      expect((await runCommand(environment(url), ['indexes'])).stdout).toContain('0 indexes are missing');
      await runCommand(environment(url), ['indexes', '--drop']);
    });

    test('two runs at once → one builds, the other reports it', async () => {
      const runs = await Promise.all([1, 2].map(() => spawnCommand(environment(url), ['indexes', '--apply'])));
      expect(runs.some(({ stdout }) => stdout.includes('indexes built'))).toBe(true);
      for (const { code, stderr } of runs) if (code !== 0) expect(stderr).toContain('Another process is building');
      expect((await runCommand(environment(url), ['indexes'])).stdout).toContain('0 indexes are missing');
    });

    test('--apply with --drop → exit code 2', async () => {
      expect((await runCommand(environment(url), ['indexes', '--apply', '--drop'])).code).toBe(2);
      expect((await runCommand({ DATABASE_URL: url }, ['indexes', '--apply'])).code).toBe(2);
    });
  });
});
