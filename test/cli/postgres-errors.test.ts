import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { withClient } from '../../bench/postgres.mjs';
import { parseConfig } from '../../src/config.js';
import { openDatabase } from '../../src/database/open.js';
import { expectSentence, expectWrongVariables } from '../support/expect-sentence.js';
import { runCommand } from '../support/run-command.js';
import { isPostgres } from '../support/test-database.js';

const URL_RULE =
  'DATABASE_URL must be a URL such as postgresql://user:password@host:5432/database. In the password, write @ as %40, / as %2F, # as %23, ? as %3F, % as %25';

describe('DATABASE_URL', () => {
  test.each<[string, string]>([
    ['localhost:5432/gateway', URL_RULE],
    ['gateway', URL_RULE],
    ['mysql://user:hunter2@host/gateway', URL_RULE],
    ['postgresql://user:hunter2%@host/gateway', URL_RULE],
    ['postgresql://user:hunter2/@host/gateway', URL_RULE],
    ['postgresql://user:p@hunter2/w@host/gateway', URL_RULE],
    ['postgresql://user:p@hunter2#w@host/gateway', URL_RULE],
    ['postgresql://user:p@hunter2?w@host/gateway', URL_RULE],
    [
      'postgresql://user:hunter2@host/gateway?sslmode=allow',
      'DATABASE_URL has an unknown sslmode. Use one of disable, prefer, require, verify-ca, verify-full, no-verify',
    ],
    [
      'postgresql://user:hunter2@host/gateway?schema=other',
      'DATABASE_URL has a schema other than public. Name the schema by options=-c%20search_path%3Dname instead of schema=name',
    ],
  ])('%s → the rule that it breaks, without a part of the URL', async (url, rule) => {
    expectWrongVariables(await runCommand({ DATABASE_URL: url }, ['token', 'list']), [rule]);
  });

  test.each<[string, string]>([
    [
      'postgresql://127.0.0.1:1/x',
      'Nothing listens at 127.0.0.1:1. Start PostgreSQL, or correct the host and the port in DATABASE_URL.',
    ],
    ['postgresql://[::1]:1/x', 'Nothing listens at [::1]:1. Start PostgreSQL, or correct the host and the port in DATABASE_URL.'],
    [
      'postgresql:///x?host=/nowhere',
      'Nothing listens at /nowhere/.s.PGSQL.5432. Start PostgreSQL, or correct the host and the port in DATABASE_URL.',
    ],
    [
      'postgresql://user:hunter2@host.invalid/x',
      'The host host.invalid is unknown. Correct its name in DATABASE_URL, or check the name server of this machine.',
    ],
  ])('%s → a sentence', async (url, sentence) => {
    expectSentence(await runCommand({ DATABASE_URL: url }, ['token', 'list']), sentence);
  });

  test('the port of another server → a sentence', async () => {
    const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const result = await runCommand({ DATABASE_URL: `postgresql://127.0.0.1:${port}/x` }, ['token', 'list']);
    server.close();
    expectSentence(
      result,
      `The server at 127.0.0.1:${port} closed the connection during its start. Check that DATABASE_URL names the port of PostgreSQL, and read the server's log.`,
    );
  });
});

(isPostgres ? describe : describe.skip)('a PostgreSQL server', () => {
  const server = process.env.TEST_DATABASE_URL ?? '';
  const suffix = randomUUID().slice(0, 8);
  const role = `gateway_role_${suffix}`;
  const odd = `Odd role ${suffix}`;
  const databases: string[] = [];

  const urlOf = (database: string, user = new URL(server).username) =>
    Object.assign(new URL(server), { pathname: `/${database}`, username: user }).href;
  const run = (url: string, sql: string) => withClient(url, async (client) => void (await client.query(sql)));
  const createDatabase = async (options = '') => {
    const name = `gateway_errors_${suffix}_${databases.length}`;
    databases.push(name);
    await run(server, `CREATE DATABASE ${name} ${options}`);
    // The default before PostgreSQL 15.
    await run(urlOf(name), 'REVOKE CREATE ON SCHEMA public FROM PUBLIC');
    return name;
  };
  const migrate = (url: string) => runCommand({ DATABASE_URL: url }, ['migrate']);
  const serve = (url: string) => runCommand({ DATABASE_URL: url, PORT: '0', LOG_LEVEL: 'silent' }, ['serve']);

  beforeAll(() => run(server, `CREATE ROLE ${role} LOGIN; CREATE ROLE "${odd}" LOGIN`));
  afterAll(async () => {
    for (const name of databases) await run(server, `DROP DATABASE ${name} WITH (FORCE)`);
    await run(server, `DROP ROLE ${role}; DROP ROLE "${odd}"`);
  });

  test('a missing database → a sentence with the statement that creates it', async () => {
    const name = `missing ${suffix}`;
    const result = await migrate(urlOf(name));
    expectSentence(
      result,
      /^The server at \S+ has no database missing \w+\. Create it \(CREATE DATABASE "missing \w+" ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0\), /,
    );
    await run(server, /CREATE DATABASE [^)]+/.exec(result.stderr)?.[0] ?? '');
    databases.push(`"${name}"`);
    expect((await migrate(urlOf(name))).code).toBe(0);
  });

  test('an unknown role → a sentence', async () => {
    expectSentence(
      await migrate(urlOf('postgres', 'nobody')),
      'PostgreSQL rejects the user nobody: role "nobody" does not exist. Correct the user and the password in DATABASE_URL.',
    );
  });

  test('a role that may not connect → the grant that lets it', async () => {
    const name = await createDatabase();
    await run(server, `REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`);
    const result = await migrate(urlOf(name, role));
    const [grant] = /GRANT .*/.exec(result.stderr) ?? [];
    expectSentence(result, `The user ${role} may not connect to the database ${name}. Its owner can allow that: ${grant}`);
    await run(server, grant ?? '');
    expectSentence(await migrate(urlOf(name, role)), /may not create tables/);
  });

  test.each<[string, string, RegExp]>([
    [
      'neither tables nor the extension',
      '',
      /may not create tables in the schema public, .*, and may not create the extension pg_trgm\./,
    ],
    [
      'no tables',
      'CREATE EXTENSION pg_trgm',
      /may not create tables in the schema public, which only its owner may since PostgreSQL 15\./,
    ],
    ['no extension', `GRANT CREATE ON SCHEMA public TO ${role}`, /^The role \w+ may not create the extension pg_trgm\./],
    [
      'no tables, but the extension',
      `GRANT CREATE ON DATABASE NAME TO ${role}`,
      /^The role \w+ may not create tables in the schema public/,
    ],
    [
      'no tables, and not use the schema',
      'REVOKE USAGE ON SCHEMA public FROM PUBLIC',
      /may not create tables in the schema public/,
    ],
  ])('a role that may create %s → the statements that a superuser runs, after which it migrates', async (_, given, rule) => {
    const name = await createDatabase();
    await run(urlOf(name), given.replace('NAME', name));
    const result = await migrate(urlOf(name, role));
    expectSentence(result, rule);
    expectSentence(result, new RegExp(` Let a superuser run this in the database ${name}, and start again: [^.]+;$`, 'm'));
    await run(urlOf(name), result.stderr.split('start again: ')[1] ?? '');
    expect(await migrate(urlOf(name, role))).toMatchObject({ code: 0, stderr: '' });
  });

  test('a role whose name needs quotes → quoted grants, also by serve; a role without rights on its tables → a sentence', async () => {
    const name = await createDatabase();
    const grants = await serve(urlOf(name, odd));
    expectSentence(grants, new RegExp(`GRANT USAGE, CREATE ON SCHEMA public TO "${odd}"; CREATE EXTENSION pg_trgm;$`, 'm'));
    await run(urlOf(name), grants.stderr.split('start again: ')[1] ?? '');
    expect((await migrate(urlOf(name, odd))).code).toBe(0);
    expectSentence(
      await migrate(urlOf(name, role)),
      'The database rejected the command: permission denied for table _prisma_migrations. Name a role in DATABASE_URL that has the right, such as the owner of the tables.',
    );
  });

  test('a search path without a schema → a sentence', async () => {
    const url = `${urlOf(await createDatabase(), role)}?options=-c%20search_path%3Dnowhere`;
    expectSentence(
      await migrate(url),
      /^The role \S+ can use no existing schema of the search path \(nowhere\)\. Create one in the database /,
    );
  });

  test('an extension outside of the search path → a sentence', async () => {
    const name = await createDatabase();
    await run(urlOf(name), 'CREATE SCHEMA extensions; CREATE EXTENSION pg_trgm SCHEMA extensions');
    const rule =
      /^The extension pg_trgm of the database \S+ is in a schema outside of the search path \("\$user", public\)\. Add /;
    expectSentence(await migrate(urlOf(name)), rule);
    expect((await migrate(`${urlOf(name)}?options=-c%20search_path%3Dpublic,extensions`)).code).toBe(0);
  });

  test('another schema in search_path → its tables are in that schema', async () => {
    const name = await createDatabase();
    await run(urlOf(name), 'CREATE SCHEMA other');
    const url = `${urlOf(name)}?options=-c%20search_path%3Dother&schema=public`;
    expect(await migrate(url)).toMatchObject({ code: 0, stderr: '' });
    const database = await openDatabase(parseConfig({ DATABASE_URL: url }).database);
    const rows = await database.read({ text: `SELECT schemaname FROM pg_tables WHERE tablename = 'events'`, values: [] });
    await database.close();
    expect(rows).toEqual([{ schemaname: 'other' }]);
  });

  test.each(['LATIN1', 'SQL_ASCII'])('the encoding %s → refused by migrate and serve', async (encoding) => {
    const name = await createDatabase(`ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`);
    for (const command of [migrate, serve]) {
      expectSentence(
        await command(urlOf(name)),
        `The database ${name} has the encoding ${encoding}, and events can contain characters outside of it. Create a database in UTF-8 and name it in DATABASE_URL: CREATE DATABASE flag_admin_gateway ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0`,
      );
    }
  });

  test('a read-only database → a sentence', async () => {
    const name = await createDatabase();
    await run(server, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    expectSentence(
      await migrate(urlOf(name)),
      'The database is read-only: it is a standby, or its settings forbid changes. Name the primary server in DATABASE_URL.',
    );
  });

  test('a wrong DATABASE_DIRECT_URL → a sentence that names it', async () => {
    const env = { DATABASE_URL: urlOf(await createDatabase()), DATABASE_DIRECT_URL: 'postgresql://127.0.0.1:1/x' };
    const sentence = 'Nothing listens at 127.0.0.1:1. Start PostgreSQL, or correct the host and the port in DATABASE_DIRECT_URL.';
    expectSentence(await runCommand(env, ['token', 'list']), sentence);
  });
});
