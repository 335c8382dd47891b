import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { dropEventIndexes } from '../../src/database/indexes/build-indexes.js';
import { openDatabase } from '../../src/database/open.js';
import { expectSentence } from '../support/expect-sentence.js';
import { recordedEvents } from '../support/recorded-log.js';
import { runCommand, type ServingProcess, spawnCommand, startServing } from '../support/run-command.js';
import { createDatabaseInFiles, createTestDatabase, isPostgres, type TestDatabase } from '../support/test-database.js';

const TOKENS = '/api/admin/invite-link/tokens';

describe('serve', () => {
  let database: TestDatabase;
  let running: ServingProcess[];
  beforeEach(async () => {
    database = await createDatabaseInFiles('empty');
    running = [];
  });
  afterEach(async () => {
    for (const process of running) await process.end('SIGKILL');
    await database.drop();
  });

  const serve = async (env: Readonly<Record<string, string>> = {}) => {
    const process = await startServing({ ...database.env, ...env });
    running.push(process);
    return process;
  };
  const get = (url: string, token = '') => fetch(url, { headers: { authorization: token } });
  const createSignupToken = (url: string, token: string) =>
    fetch(`${url}${TOKENS}`, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Invite', expiresAt: '2099-01-01T00:00:00Z' }),
    });

  test('the first start prints one ADMIN token that works; the second prints none, and it still works', async () => {
    await database.drop();
    database = await createDatabaseInFiles('nothing');
    const first = await serve({ SIGNUP_BASE_URL: 'https://flags.example.com' });
    const token = first.firstAdminToken ?? '';
    expect(token).toMatch(/^flaggw_/);
    expect((await createSignupToken(first.url, token)).status).toBe(201);
    expect(await first.end('SIGTERM')).toBe(0);

    const second = await serve();
    expect(second.firstAdminToken).toBeUndefined();
    // Standard output is the log, one JSON object to a line, which goes on to other systems.
    for (const logLine of `${first.stdout}${second.stdout}`.trim().split('\n')) {
      expect(JSON.parse(logLine)).toMatchObject({ level: 30 });
      expect(logLine).not.toContain(token);
    }
    expect((await get(`${second.url}/api/admin/search/events`, token)).status).toBe(200);
  });

  (isPostgres ? test : test.skip)('an import was killed before it built the indexes → serve builds them', async () => {
    const migrated = await createDatabaseInFiles('empty');
    const opened = await openDatabase(migrated.location);
    const readIndexes = () => opened.prisma.$queryRaw<unknown[]>`
      SELECT pg_get_indexdef(indexrelid) AS definition FROM pg_index WHERE indrelid = 'events'::regclass AND indisvalid ORDER BY 1`;
    try {
      const before = await readIndexes();
      await dropEventIndexes(opened);
      expect(await readIndexes()).toHaveLength(before.length - 10);
      await serve({ ...migrated.env, INIT_ADMIN_API_TOKENS: 'admin-secret' });
      while ((await readIndexes()).length < before.length) await new Promise((resolve) => setTimeout(resolve, 50));
      expect(await readIndexes()).toEqual(before);
    } finally {
      for (const process of running) await process.end('SIGTERM');
      await opened.close();
      await migrated.drop();
    }
  });

  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s while a client keeps its connections → exit code 0, and nothing listens',
    async (signal) => {
      const gateway = await serve();
      expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200);
      await Promise.all(Array.from({ length: 20 }, () => get(`${gateway.url}/api/admin/search/events`, gateway.firstAdminToken)));
      expect(await gateway.end(signal)).toBe(0);
      await expect(fetch(`${gateway.url}/livez`)).rejects.toThrow();
    },
  );

  test('killed right after it acknowledged a signup token → the next start has the token and its event', async () => {
    const first = await serve({ INIT_ADMIN_API_TOKENS: 'admin-secret' });
    const created = (await (await createSignupToken(first.url, 'admin-secret')).json()) as { secret: string };
    await first.end('SIGKILL');

    const second = await serve({ INIT_ADMIN_API_TOKENS: 'admin-secret' });
    const read = await get(`${second.url}${TOKENS}/${created.secret}`, 'admin-secret');
    expect(await read.json()).toEqual(created);
    const search = await get(`${second.url}/api/admin/search/events?type=IS:public-signup-token-created`, 'admin-secret');
    expect(await search.json()).toMatchObject({ total: 1, events: [{ data: { name: 'Invite' } }] });
  });

  (isPostgres ? test.skip : test)(
    'commands and a second gateway on the same DATA_DIR → share the database; the second takes over when the first is killed',
    async () => {
      const first = await serve({ INIT_ADMIN_API_TOKENS: 'admin-secret' });
      const created = await spawnCommand(database.env, ['token', 'create', '--name', 'viewer', '--role', 'VIEWER']);
      const viewer = created.stdout.trim();
      const imported = await spawnCommand(database.env, ['import', 'test/recorded/event-log.ndjson']);
      expect(imported).toMatchObject({ code: 0, stderr: '' });
      const search = (url: string) => get(`${url}/api/admin/search/events?limit=1`, viewer);
      const count = async (url: string) => ((await (await search(url)).json()) as { total: number }).total;
      expect(await count(first.url)).toBe(recordedEvents.length);

      const second = await serve();
      expect(await count(second.url)).toBe(recordedEvents.length);
      await first.end('SIGKILL');
      // The request that finds the connection lost gets 503.
      await search(second.url);
      expect((await createSignupToken(second.url, 'admin-secret')).status).toBe(201);
      expect(await count(second.url)).toBe(recordedEvents.length + 1);
    },
  );

  (isPostgres ? test : test.skip)('two processes on the same DATABASE_URL → both serve the same data', async () => {
    const [first, second] = await Promise.all([serve({ INIT_ADMIN_API_TOKENS: 'a' }), serve({ INIT_ADMIN_API_TOKENS: 'a' })]);
    const created = (await (await createSignupToken(first.url, 'a')).json()) as { secret: string };
    expect(await (await get(`${second.url}${TOKENS}/${created.secret}`, 'a')).json()).toEqual(created);
  });

  test('a port that is taken → told so, without a trace', async () => {
    const other = createServer();
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const { port } = other.address() as AddressInfo;
    try {
      const result = await spawnCommand({ ...database.env, PORT: String(port), LOG_LEVEL: 'silent' }, ['serve']);
      expectSentence(result, `Port ${port} is in use by another process. Stop that process, or set PORT to another port.`);
    } finally {
      await once(other.close(), 'close');
    }
  });
});

describe('wrong usage', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('empty');
  });
  afterAll(() => database.drop());

  test.each([
    [{ HOST: '999.1.1.1' }, /^HOST 999\.1\.1\.1 is not an address of this machine\. Set HOST to 127\.0\.0\.1 /],
    [
      { TRUSTED_DOCUMENTS: 'require', TRUSTED_DOCUMENTS_FILES: 'missing.json' },
      /^missing\.json in TRUSTED_DOCUMENTS_FILES does not exist\. Correct its path, or its access rights\.\n$/,
    ],
    [{ TRUSTED_DOCUMENTS_FILES: 'src' }, /^src in TRUSTED_DOCUMENTS_FILES is a folder\. /],
    [
      { TRUSTED_DOCUMENTS_FILES: 'README.md' },
      /^README\.md in TRUSTED_DOCUMENTS_FILES is not a list of trusted documents\. Name a file such as the persisted-documents\.json /,
    ],
    [{ DATABASE_SCHEMA: 'public' }, /DATABASE_SCHEMA must be own or unleash/],
    [
      { DATABASE_SCHEMA: 'unleash', DATABASE_URL: '' },
      /DATABASE_URL must name the Unleash database[\s\S]*UNLEASH_URL or INIT_ADMIN_API_TOKENS must be set/,
    ],
    [{ UNLEASH_URL: 'flags.example' }, /UNLEASH_URL must be an http or https URL/],
    [{ UNLEASH_URL: 'https://me:word@flags.example' }, /UNLEASH_URL must be .* without user, password/],
    [{ PORT: 'x', TRUSTED_DOCUMENTS: 'require' }, /PORT must be [\s\S]*TRUSTED_DOCUMENTS_FILES must name/],
    [{ UNLEASH_TOKEN_CACHE_MS: '1s' }, /UNLEASH_TOKEN_CACHE_MS must be a whole number/],
    [
      { SIGNUP_BASE_URL: 'https://flags.example/?tenant=1' },
      /SIGNUP_BASE_URL must be an http or https URL, such as .* without .* query/,
    ],
    [{ INIT_ADMIN_API_TOKENS: `${'l'.repeat(32)},Bearer` }, /INIT_ADMIN_API_TOKENS must be .* none of which is Bearer/],
    [{ INIT_ADMIN_API_TOKENS: 'one-token another-token' }, /INIT_ADMIN_API_TOKENS must be .* without blanks/],
  ])('%p → told so, without a trace', async (env, rule) => {
    const { code, stdout, stderr } = await runCommand({ PORT: '0', LOG_LEVEL: 'silent', ...database.env, ...env }, ['serve']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(rule);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test('mistakes in the environment → all of them named, and no value', async () => {
    const env = {
      PORT: '70000',
      DATABASE_URL: 'mysql://user:hunter2@host/db',
      INIT_ADMIN_API_TOKENS: 'fine-secret,sécret',
      SIGNUP_BASE_URL: 'ftp://hunter2',
      LOG_LEVEL: 'hunter2',
      GRAPHIQL: 'hunter2',
    };
    // `main.ts` runs `serve` if there are no arguments, but `runCommand` does not start `main.ts`.
    for (const result of [runCommand(env, ['serve']), spawnCommand(env, [])]) {
      const { code, stdout, stderr } = await result;
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      for (const name of Object.keys(env)) expect(stderr).toMatch(new RegExp(`^  ${name} must be `, 'm'));
      expect(stderr.trimEnd().split('\n')).toHaveLength(1 + Object.keys(env).length);
      for (const value of ['hunter2', '70000', 'secret', 'sécret']) expect(stderr).not.toContain(value);
    }
  });

  test('an unknown command → the one that was meant, and where to find help, on stderr', async () => {
    const { code, stdout, stderr } = await runCommand(database.env, ['tokens', 'list']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/unknown command 'tokens'.*Did you mean token\?.*--help/s);
  });

  test('--help → every command, exit code 0', async () => {
    const { code, stdout } = await runCommand({}, ['--help']);
    expect(code).toBe(0);
    for (const command of ['serve', 'migrate', 'import', 'token']) expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
  });
});
