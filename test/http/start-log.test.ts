import { afterEach, describe, expect, test } from '@jest/globals';
import { withClient } from '../../bench/postgres.mjs';
import { parseConfig } from '../../src/config.js';
import { type Gateway, startGateway } from '../../src/gateway.js';
import { createTestDatabase, isPostgres, type TestDatabase } from '../support/test-database.js';

describe('the log at the start', () => {
  let database: TestDatabase;
  let gateway: Gateway | undefined;
  const log: string[] = [];
  const start = async (env: Readonly<Record<string, string>>) => {
    const config = parseConfig({ PORT: '0', GRAPHIQL: 'false', ...database.env, ...env });
    gateway = await startGateway(config, { logDestination: { write: (line) => void log.push(line) } });
  };
  const warnings = () => log.filter((line) => (JSON.parse(line) as { level: number }).level >= 40);
  afterEach(async () => {
    await gateway?.stop();
    gateway = undefined;
    await database.drop();
    log.length = 0;
  });

  test.each([
    ['s'.repeat(31), 1],
    [`${'l'.repeat(32)},${'s'.repeat(31)}`, 1],
    [`${'l'.repeat(32)},${'m'.repeat(32)}`, 0],
    ['', 0],
  ])('INIT_ADMIN_API_TOKENS=%s → %i warnings, without the secret', async (secrets, count) => {
    database = await createTestDatabase('empty');
    await start({ INIT_ADMIN_API_TOKENS: secrets });
    expect(warnings()).toHaveLength(count);
    for (const line of warnings()) {
      expect(line).toContain(
        'INIT_ADMIN_API_TOKENS contains a secret of fewer than 32 characters, which can be guessed. Replace it',
      );
    }
    expect(log.join('')).not.toMatch(/lll|sss/);
  });

  (isPostgres ? test : test.skip)('a role that may not build a missing index → a sentence without a stack', async () => {
    database = await createTestDatabase('empty');
    const owner = database.env['DATABASE_URL'] ?? '';
    const role = `index_reader_${process.pid}`;
    await withClient(owner, (client) =>
      client.query(`
        DROP INDEX events_type_created_at_id_idx; CREATE ROLE ${role} LOGIN;
        GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}; GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${role}`),
    );
    try {
      await start({ DATABASE_URL: Object.assign(new URL(owner), { username: role }).href });
      while (warnings().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      expect(warnings().map((line) => JSON.parse(line))).toEqual([
        {
          level: 50,
          time: expect.any(Number),
          pid: expect.any(Number),
          hostname: expect.any(String),
          msg: 'The indexes of the event log could not be built. The database rejected the command: must be owner of table events. Name a role in DATABASE_URL that has the right, such as the owner of the tables.',
        },
      ]);
    } finally {
      await gateway?.stop();
      await withClient(owner, (client) => client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`));
    }
  });
});
