import { afterEach, expect, test } from '@jest/globals';
import { describeLog, renderBanner } from '../../src/cli/banner.js';
import { parseConfig } from '../../src/config.js';
import { type Gateway, startGateway } from '../../src/gateway.js';
import { recordedEvents } from '../support/recorded-log.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase | null = null;
let gateway: Gateway | null = null;
afterEach(async () => {
  await gateway?.stop();
  await database?.drop();
  database = gateway = null;
});

async function start(content: 'nothing' | 'log', env: Readonly<Record<string, string>> = {}): Promise<string> {
  database = await createTestDatabase(content);
  const config = parseConfig({ PORT: '0', LOG_LEVEL: 'silent', ...database.env, ...env });
  gateway = await startGateway(config);
  return renderBanner(gateway.url, config, await describeLog(gateway, config), gateway.firstAdminToken);
}

test.each([
  ['true', 200, ['/', '/graphiql', '/graphql', '/api/admin/search/events', '/openapi.json']],
  ['false', 404, ['/', '/graphql', '/api/admin/search/events', '/openapi.json']],
])(
  'a filled log, GRAPHIQL and CONSOLE %s → the number of its events, and URLs that respond',
  async (graphiql, rootStatus, paths) => {
    const banner = await start('log', { GRAPHIQL: graphiql, CONSOLE: graphiql, INIT_ADMIN_API_TOKENS: 'admin-secret' });
    expect(banner).toMatch(new RegExp(`^  Log {7}${recordedEvents.length.toLocaleString('en')} events$`, 'm'));
    expect(banner).not.toMatch(/import|token|admin-secret/);

    const headers = { authorization: 'admin-secret', accept: 'text/html,*/*;q=0.8', 'content-type': 'application/json' };
    const statuses: Record<string, number> = {};
    for (const [url] of banner.matchAll(/http:[^\s)]+/g)) {
      const { pathname } = new URL(url);
      // Without the IDE, GraphQL has no page and needs a query.
      const query = pathname === '/graphql' && graphiql === 'false' ? '?query={__typename}' : '';
      statuses[pathname] = (await fetch(`${url}${query}`, { headers })).status;
    }
    expect(statuses).toEqual({ ...Object.fromEntries(paths.map((path) => [path, 200])), '/': rootStatus });
  },
);

test('an empty database → how to fill it; the first token is the last line', async () => {
  const banner = await start('nothing');
  expect(banner).toMatch(/^ {2}Log {7}no events yet/m);
  for (const command of ['import <file>', 'mirror --from <url>', 'demo']) expect(banner).toContain(` ${command}\n`);
  expect(banner.endsWith(`\nAdmin API token, shown this once: ${gateway?.firstAdminToken}\n`)).toBe(true);
});

test('a count that fails or takes too long → said so', async () => {
  const countEvents = () => Promise.reject(new Error('canceled'));
  expect(await describeLog({ countEvents }, parseConfig({}))).toEqual(['not counted within 2 seconds']);
});
