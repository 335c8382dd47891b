import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseConfig } from '../../src/config.js';
import { type Gateway, startGateway } from '../../src/gateway.js';
import { createDatabase, createGrantedRole, dumpSchema, execute } from './databases.js';
import { fill } from './fill.js';
import { type FlagEventsInput, flagEventsPath } from './flag-events.js';
import { addOddNames } from './odd-names.js';
import { inDays, startUnleash, type UnleashServer } from './unleash-server.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const VIEWER_ROLE = 3;
const CACHE_MS = 500;
const LEAST_REQUESTS = 600;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const run = promisify(execFile);

describe.each(['6.10.1', '8.2.0'])('beside Unleash %s', (version) => {
  const name = `live_${version.replaceAll('.', '_')}`;
  let unleash: UnleashServer;
  let ownerUrl: string;
  let roleUrl: string;
  let readerUrl: string;
  let schemaBefore: string;
  let gateway: Gateway;
  let viewer: Awaited<ReturnType<UnleashServer['createUser']>>;
  let clientToken: string;
  let sessionCookie: string;

  const start = (databaseUrl: string, env: Readonly<Record<string, string>> = {}): Promise<Gateway> =>
    startGateway(
      parseConfig({
        PORT: '0',
        GRAPHIQL: 'false',
        DATABASE_URL: databaseUrl,
        DATABASE_SCHEMA: 'unleash',
        UNLEASH_URL: unleash.url,
        UNLEASH_TOKEN_CACHE_MS: String(CACHE_MS),
        ...env,
      }),
      { logDestination: { write: () => undefined } },
    );
  const command = (environment: NodeJS.ProcessEnv, ...args: string[]) =>
    run(process.execPath, ['dist/main.js', ...args], { cwd: ROOT, env: { PATH: process.env.PATH, ...environment } });

  beforeAll(async () => {
    ownerUrl = await createDatabase(name);
    unleash = await startUnleash(version, ownerUrl);
    await fill(unleash);
    viewer = await unleash.createUser('viewer@example.com', VIEWER_ROLE);
    clientToken = await unleash.createClientToken();
    sessionCookie = viewer.cookie.split('; ').find((pair) => pair.startsWith('unleash-session=')) ?? '';
    roleUrl = await createGrantedRole(ownerUrl, `${name}_gateway`, 'all');
    readerUrl = await createGrantedRole(ownerUrl, `${name}_reader`, 'reading');
    schemaBefore = dumpSchema(ownerUrl);
    gateway = await start(roleUrl);
  });
  afterAll(async () => {
    await gateway?.stop();
    await unleash?.stop();
  });

  const graphql = async (query: string, variables: object = {}, token = unleash.adminToken, url = gateway.url) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: token },
      body: JSON.stringify({ query, variables }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: a response body can be anything; tests inspect it
    return (await response.json()) as any;
  };
  const search = async (parameters: string, token = unleash.adminToken, url = gateway.url) => {
    const response = await fetch(`${url}/api/admin/search/events?${parameters}`, { headers: { authorization: token } });
    // biome-ignore lint/suspicious/noExplicitAny: as above
    return { status: response.status, body: (await response.json()) as any };
  };
  const create = (token: string, url = gateway.url) =>
    fetch(`${url}/api/admin/invite-link/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: token },
      body: JSON.stringify({ name: 'from a test', expiresAt: inDays(7) }),
    });

  /** Sends the requests of the conformance check to Unleash and to a gateway. @returns the report of the command, and how it ended */
  const conform = async (url: string, ...options: string[]): Promise<{ readonly code: number; readonly report: string }> => {
    const both = (name: string, value: string) => [`--peer-${name}`, value, `--${name}`, value];
    const sides = ['--peer', unleash.url, '--gateway', url, ...both('token', unleash.adminToken)];
    const roles = [...both('viewer-token', viewer.token), ...both('client-token', clientToken)];
    const args = ['conformance/run.mjs', ...sides, ...roles, ...both('session-cookie', sessionCookie), ...options];
    const { code = 0, stdout } = await run(process.execPath, args, { cwd: ROOT }).catch((error) => error);
    return { code, report: stdout };
  };

  test('the same requests → the responses of Unleash, except for the differences in docs/differences.md', async () => {
    const { code, report } = await conform(gateway.url);
    expect([code, report]).toEqual([0, expect.stringMatching(/^\d+ requests, 0 unexplained differences/)]);
    expect(report).not.toContain('left out');
    expect(Number.parseInt(report, 10)).toBeGreaterThanOrEqual(LEAST_REQUESTS);
  });

  test('the requests of get_flag_events of the MCP server of Unleash → the events of Unleash', async () => {
    const day = new Date().toISOString().slice(0, 10);
    const type = 'feature-environment-enabled';
    const flag = { featureName: 'checkout-1', projectId: 'default' };
    const withoutEnvironment = [
      { featureName: 'checkout-1' },
      flag,
      { ...flag, type },
      { ...flag, limit: 5, offset: 3 },
      { ...flag, from: day, to: day, limit: 1000 },
      { featureName: 'no-such-flag' },
    ];
    const withEnvironment = ['production', 'development', 'no-such-environment'].flatMap((environment) => [
      { ...flag, environment },
      { ...flag, environment, type, limit: 1000 },
    ]);
    const ask = async (url: string, input: FlagEventsInput) => {
      const response = await fetch(`${url}${flagEventsPath(input)}`, { headers: { authorization: viewer.token } });
      // biome-ignore lint/suspicious/noExplicitAny: a response body can be anything; tests inspect it
      return { status: response.status, ...((await response.json()) as any) };
    };
    // Unleash filters by the environment since version 7.
    for (const input of [...withoutEnvironment, ...(version.startsWith('6.') ? [] : withEnvironment)]) {
      const fromGateway = await ask(gateway.url, input);
      expect(fromGateway.status).toBe(200);
      expect(await ask(unleash.url, input)).toMatchObject(fromGateway);
    }
    const all = (await ask(gateway.url, { ...flag, limit: 1000 })).events;
    for (const environment of ['production', 'development']) {
      const { events, total } = await ask(gateway.url, { ...flag, environment, limit: 1000 });
      expect(events).toEqual(all.filter((event: { environment: string | null }) => event.environment === environment));
      expect(events.length).toBeGreaterThan(0);
      expect(total).toBe(events.length);
    }
  });

  test('a log with odd names → 0 unexplained differences, in its mirror too', async () => {
    await addOddNames(ownerUrl);
    const { code, report } = await conform(gateway.url, '--read-only');
    expect([code, report]).toEqual([0, expect.stringMatching(/^\d+ requests, 0 unexplained differences/)]);
    expect(report).toContain('users-by-id');

    const copyUrl = await createDatabase(`${name}_copy`);
    await command({ DATABASE_URL: copyUrl, MIRROR_TOKEN: unleash.adminToken }, 'mirror', '--from', unleash.url);
    const copy = await start(copyUrl, { DATABASE_SCHEMA: 'own' });
    try {
      const ofCopy = await conform(copy.url);
      expect(ofCopy).toEqual({ code: 0, report: expect.stringMatching(/^\d+ requests, 0 unexplained differences/) });
      expect(ofCopy.report).toContain('tokens-of-unleash');
    } finally {
      await copy.stop();
    }
  });

  test('a flag from Unleash, an invite link from the gateway, a user who signs up → visible on both sides', async () => {
    await unleash.call('POST', '/api/admin/projects/default/features', { name: 'story-flag', type: 'release' });
    const { data: flag } = await graphql('{ featureEvents(featureName: "story-flag") { events { type createdBy } } }');
    expect(flag.featureEvents.events).toEqual([{ type: 'FEATURE_CREATED', createdBy: 'admin' }]);

    const input = { name: 'for a colleague', expiresAt: inDays(7) };
    const { data: created } = await graphql(
      'mutation ($input: PublicSignupTokenCreateInput!) { createPublicSignupToken(input: $input) { secret url } }',
      { input },
    );
    const { secret, url } = created.createPublicSignupToken;
    expect(url).toBe(`${unleash.url}/new-user?invite=${secret}`);
    const { body: listed } = await unleash.call('GET', '/api/admin/invite-link/tokens');
    expect(listed.tokens).toContainEqual(expect.objectContaining({ secret, url, ...input, createdBy: 'admin', enabled: true }));

    const page = await fetch(url);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
    const { body: joined } = await unleash.signUp(secret, 'colleague@example.com');
    const { data: read } = await graphql(
      'query ($secret: String!) { signupToken(secret: $secret) { users { id email rootRole accountType createdAt } } }',
      { secret },
    );
    expect(read.signupToken.users).toEqual([
      {
        id: joined.id,
        email: 'colleague@example.com',
        rootRole: VIEWER_ROLE,
        accountType: 'User',
        createdAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/),
      },
    ]);

    const tokenEvents = 'type=IS_ANY_OF:public-signup-token-created,public-signup-token-user-added&limit=2';
    const fromGateway = await search(tokenEvents);
    const { body: fromUnleash } = await unleash.call('GET', `/api/admin/search/events?${tokenEvents}`);
    expect(fromGateway.body.events.map(({ type }: { type: string }) => type)).toEqual([
      'public-signup-token-user-added',
      'public-signup-token-created',
    ]);
    expect(fromUnleash.events).toMatchObject(fromGateway.body.events);
  });

  test('the event of a creation → contains no secret, and Unleash announces it to its integrations', async () => {
    const response = await create(unleash.adminToken);
    const { secret } = (await response.json()) as { secret: string };
    const readLast = async () =>
      (
        await execute<{ announced: boolean; text: string; feature_name: string | null; created_by_user_id: number }>(
          ownerUrl,
          'SELECT announced, row_to_json(events)::text AS text, feature_name, created_by_user_id FROM events ORDER BY id DESC LIMIT 1',
        )
      )[0];
    // Unleash looks for unannounced events once a second.
    let event = await readLast();
    for (const deadline = Date.now() + 10_000; !event?.announced && Date.now() < deadline; event = await readLast())
      await pause(50);
    expect(event).toMatchObject({ announced: true, feature_name: null, created_by_user_id: -42 });
    expect(event?.text).not.toContain(secret);
    expect(event?.text).not.toContain('invite=');
  });

  test('a viewer → may read but not create; token revoked → 401 within the cache time', async () => {
    const { status, body } = await search('limit=1000', viewer.token);
    const { body: fromUnleash } = await unleash.call('GET', '/api/admin/search/events?limit=1000', undefined, {
      authorization: viewer.token,
    });
    expect(status).toBe(200);
    expect(body.total).toBe(fromUnleash.total);
    expect(body.events.every(({ project }: { project: string | null }) => project !== null)).toBe(true);
    expect((await create(viewer.token)).status).toBe(403);

    await viewer.revoke();
    await pause(CACHE_MS + 100);
    expect((await search('limit=1', viewer.token)).status).toBe(401);
  });

  test('a personal token of an administrator → creates in their name', async () => {
    const admin = await unleash.createUser('boss@example.com', 1);
    expect(await (await create(admin.token)).json()).toMatchObject({ createdBy: 'boss@example.com' });
    const { body } = await search('limit=1');
    expect(body.events).toMatchObject([{ createdBy: 'boss@example.com', createdByUserId: admin.id }]);
  });

  test('a client token → 403; an unknown token → 401', async () => {
    expect((await search('limit=1', clientToken)).status).toBe(403);
    expect((await search('limit=1', 'user:nobody-has-this')).status).toBe(401);
  });

  test('a database role that may not insert → reads succeed, a creation is 403 with the reason', async () => {
    const reader = await start(readerUrl);
    try {
      expect((await search('limit=1', unleash.adminToken, reader.url)).status).toBe(200);
      const rejected = await create(unleash.adminToken, reader.url);
      expect([rejected.status, await rejected.json()]).toEqual([
        403,
        expect.objectContaining({ name: 'NotSupportedHereError', message: expect.stringContaining('lacks a grant') }),
      ]);
    } finally {
      await reader.stop();
    }
  });

  test('after these tests, and after building and dropping indexes → the schema of Unleash is unchanged', async () => {
    expect(dumpSchema(ownerUrl)).toBe(schemaBefore);
    const beside = { DATABASE_SCHEMA: 'unleash', UNLEASH_URL: unleash.url, DATABASE_URL: ownerUrl };
    const { stdout } = await command(beside, 'indexes', '--apply');
    expect(stdout).toContain('10 indexes built, 0 already existed');
    expect((await command(beside, 'indexes')).stdout).toContain('0 indexes are missing');
    await command(beside, 'indexes', '--drop');
    expect(dumpSchema(ownerUrl)).toBe(schemaBefore);
  });

  test('a mirror is killed twenty times while events are written → the copy equals the log', async () => {
    await execute(ownerUrl, MANY_EVENTS);
    const mirrorUrl = await createDatabase(`${name}_mirror`);
    const mirror = (...args: string[]): ChildProcess =>
      spawn(process.execPath, ['dist/main.js', 'mirror', '--from', unleash.url, ...args], {
        cwd: ROOT,
        env: { PATH: process.env.PATH, DATABASE_URL: mirrorUrl, MIRROR_TOKEN: unleash.adminToken },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
    let isWriting = true;
    const writing = (async () => {
      for (let n = 0; isWriting; n += 1) {
        const toggled = `/api/admin/projects/default/features/checkout-2/environments/production/${n % 2 === 0 ? 'on' : 'off'}`;
        await unleash.call('POST', toggled, {});
      }
    })();
    for (let kill = 0; kill < 20; kill += 1) {
      const child = mirror('--follow');
      let output = '';
      child.stderr?.on('data', (chunk) => {
        output += chunk;
      });
      await pause(1_000 + Math.random() * 2_500);
      if (child.exitCode !== null) throw new Error(`The mirror exited: ${output}`);
      child.kill('SIGKILL');
      await once(child, 'close');
    }
    isWriting = false;
    await writing;
    const settings = { DATABASE_URL: mirrorUrl, MIRROR_TOKEN: unleash.adminToken };
    const { stdout, stderr } = await command(settings, 'mirror', '--from', unleash.url).catch((error) => error);
    // A mirror that is slow, as on a busy machine, also tells its progress.
    const errors = stderr.replaceAll(/^[\d,]+ of [\d,]+ events copied.*\n/gm, '');
    expect({ stdout, errors }).toEqual({ stdout: expect.stringContaining('the copy is complete'), errors: '' });

    const columns =
      'id, created_at, type, created_by, created_by_user_id, environment, project, feature_name, pre_data, tags::text';
    // Unleash returns times in milliseconds, and parses and prints `data` again.
    const content = `SELECT ${columns.replace('created_at', "date_trunc('milliseconds', created_at)")}, data::jsonb FROM events ORDER BY id`;
    expect(await execute(mirrorUrl, content)).toEqual(await execute(ownerUrl, content));

    const served = await start(mirrorUrl, { DATABASE_SCHEMA: 'own' });
    try {
      expect((await search('limit=1', unleash.adminToken, served.url)).body).toEqual((await search('limit=1')).body);
      expect((await create(unleash.adminToken, served.url)).status).toBe(403);
    } finally {
      await served.stop();
    }
  });

  test('Unleash is unavailable → 503 for tokens that are not cached; configured admin tokens work', async () => {
    const configured = 'a-configured-admin-token';
    const other = await start(roleUrl, { INIT_ADMIN_API_TOKENS: configured });
    await unleash.stop();
    try {
      const { status, body } = await search('limit=1', unleash.adminToken, other.url);
      expect([status, body.name]).toEqual([503, 'ServiceUnavailableError']);
      expect((await search('limit=1', configured, other.url)).status).toBe(200);
    } finally {
      await other.stop();
    }
  });
});

/** Inserts events over several days, many of them with the same time. They exist before the mirror starts. */
const MANY_EVENTS = `
  INSERT INTO events (created_at, type, created_by, project, feature_name, environment, data, pre_data, tags, announced)
  SELECT date_trunc('minute', now()) - (n / 5000) * interval '1 day' - (n / 300) * interval '1 minute', 'feature-updated', 'migration', 'default', 'flag-' || n % 50, NULL,
    json_build_object('n', n, 'text', repeat('x', n % 300)), jsonb_build_object('before', n),
    CASE WHEN n % 7 = 0 THEN '[{"type":"simple","value":"seven"}]' ELSE '[]' END::json, true
  FROM generate_series(1, 20000) AS n`;
