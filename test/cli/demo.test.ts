import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDemo } from '../../src/cli/demo.js';
import { type Gateway, startGateway } from '../../src/gateway.js';

describe('demo', () => {
  let folder: string;
  let gateway: Gateway;
  let text: string;
  let token: string;

  const start = async (env: Readonly<Record<string, string>> = {}) => {
    const demo = createDemo({ PORT: '0', GRAPHIQL: 'false', DATA_DIR: path.join(folder, 'data'), ...env });
    gateway = await startGateway(demo.config, demo.options);
    text = await demo.describe(gateway);
    token = /: (flaggw_\S+)\n$/.exec(text)?.[1] ?? '';
  };
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'gateway-demo-'));
    await start();
  });
  afterAll(async () => {
    await gateway.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const get = async (path: string, secret = token) => {
    const response = await fetch(`${gateway.url}${path}`, { headers: { authorization: secret } });
    // biome-ignore lint/suspicious/noExplicitAny: a response body can be anything; tests inspect it
    return { status: response.status, body: (await response.json()) as any };
  };
  const query = async (document: string) => (await get(`/graphql?query=${encodeURIComponent(document)}`)).body.data;

  test('the first start → the sample log, in a folder that the text names, and a token on the last line', async () => {
    const { viewer, events } = await query('{ viewer { name role projects } events { totalCount } }');
    expect(viewer).toEqual({ name: 'demo', role: 'ADMIN', projects: null });
    expect(events.totalCount).toBeGreaterThan(1_900);
    expect(text).toContain(`Log       ${events.totalCount.toLocaleString('en')} events\n`);
    expect(text).toContain(`in ${path.join(folder, 'data-demo')}\n`);
    expect(text).toMatch(/\nAdmin API token, shown this once: flaggw_\S+\n$/);
    expect(existsSync(path.join(folder, 'data'))).toBe(false);
  });

  test('who switched off checkout? → a person, over GraphQL and REST', async () => {
    const { events } = await query(
      '{ events(first: 1, filter: {features: ["checkout"], environments: ["production"], types: [FEATURE_ENVIRONMENT_DISABLED]}) { nodes { createdBy } } }',
    );
    expect(events.nodes).toEqual([{ createdBy: 'maya.okafor@example.com' }]);
    const { body } = await get('/api/admin/search/events?feature=IS:checkout&type=IS:feature-environment-disabled&limit=1');
    expect(body.events).toMatchObject([{ createdBy: 'maya.okafor@example.com', environment: 'production' }]);
  });

  test('the second start → the same log, and only its own token works; another database in the environment is ignored', async () => {
    const first = { token, events: (await get('/api/admin/search/events')).body };
    await gateway.stop();
    // Nothing listens at these addresses, so that a gateway that used one could not start.
    await start({ DATABASE_URL: 'postgresql://127.0.0.1:9/none', DATABASE_SCHEMA: 'unleash', UNLEASH_URL: 'http://127.0.0.1:9' });
    expect(text).toContain('Database  embedded');
    expect(text).not.toContain('127.0.0.1:9');
    expect(token).not.toBe(first.token);
    expect(await get('/api/admin/search/events')).toEqual({ status: 200, body: first.events });
    expect((await get('/api/admin/search/events', first.token)).status).toBe(401);
  });
});
