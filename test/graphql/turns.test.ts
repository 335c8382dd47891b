import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway('log', { DATABASE_POOL_SIZE: '2', GRAPHQL_MAX_COST: '2000' });
});
afterAll(() => gateway.stop());

const COSTLY = '{ events(first: 1000) { nodes { id tags { type } } } more: events(first: 1000) { nodes { id tags { type } } } }';

test('many operations at once, some of which are rejected, leave or fail → every other one gets its response', async () => {
  const send = (query: string) => gateway.graphql(query, {}, { token: gateway.viewerToken });
  const leave = async () => {
    const leaving = new AbortController();
    setTimeout(() => leaving.abort(), 5);
    await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { authorization: gateway.viewerToken, 'content-type': 'application/json' },
      body: '{"query":"{ events(first: 500) { nodes { id data } } }"}',
      signal: leaving.signal,
    })
      .then((response) => response.text())
      .catch(() => undefined);
  };
  for (let round = 0; round < 3; round += 1) {
    const rejected = Array.from({ length: 15 }, () => send(COSTLY));
    const failing = Array.from({ length: 15 }, () => send('{ event(id: 1) { nothing } }'));
    const left = Array.from({ length: 15 }, leave);
    const served = Array.from({ length: 15 }, () => send('{ events(first: 5) { totalCount } }'));
    for (const { status } of await Promise.all(rejected)) expect(status).toBe(400);
    await Promise.all([...failing, ...left]);
    for (const { body } of await Promise.all(served)) expect(body.data.events.totalCount).toBeGreaterThan(0);
  }
});
