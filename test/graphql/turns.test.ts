import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { whileQueriesAreHeld } from '../support/hold-queries.js';
import type { Answer } from '../support/send-raw.js';
import { isPostgres } from '../support/test-database.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';
import { waitUntil } from '../support/wait-until.js';

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

// The embedded database runs one query at a time, so a caller has no share of it.
(isPostgres ? describe : describe.skip)('while one caller has its share of the connections', () => {
  const TOKENS = '/api/admin/invite-link/tokens';
  const graphql = (query: string, token: string) => gateway.graphql(query, {}, { token });
  const create = (name: string, token: string) =>
    gateway.postJson(TOKENS, { name, expiresAt: '2099-01-01T00:00:00Z' }, { token });

  /** Sends a request, and waits until the gateway has begun with it. */
  const begin = async <T>(response: Promise<T>): Promise<{ response: Promise<T> }> => {
    for (let n = 0; n < 5; n += 1) await gateway.send('/livez');
    return { response };
  };
  const statusesOf = async (begun: { response: Promise<{ status: number }> }[]) =>
    (await Promise.all(begun.map(({ response }) => response))).map(({ status }) => status);

  test('more reads of signup tokens than connections → those of one request share a turn, and another caller is served', async () => {
    const reads: Awaited<ReturnType<typeof begin<Answer>>>[] = [];
    await whileQueriesAreHeld(/\bFROM "?(public"?\.)?"?public_signup_tokens\b/, async (count) => {
      for (let n = 0; n < 2; n += 1) {
        const two = '{ a: signupToken(secret: "1") { name } b: signupToken(secret: "2") { name } }';
        reads.push(await begin(graphql(two, gateway.adminToken)));
        await waitUntil('the first request reads the signup tokens', () => count() > 0);
        reads.push(await begin(gateway.send(`${TOKENS}/1`)));
      }
      expect(count()).toBe(1);
      expect((await graphql('{ events(first: 1) { nodes { id } } }', gateway.viewerToken)).status).toBe(200);
    });
    expect(await statusesOf(reads)).toEqual([200, 404, 200, 404]);
  });

  test('a creation → waits for its turn, and that of another caller does not', async () => {
    const another = await gateway.createToken({ name: 'another admin', role: 'ADMIN' });
    const findCreated = async () =>
      (await gateway.prisma.publicSignupToken.findMany({ orderBy: { name: 'asc' } })).map(({ name }) => name);
    const begun: Awaited<ReturnType<typeof begin<Answer>>>[] = [];
    await whileQueriesAreHeld(/\bFROM "?(public"?\.)?"?events\b/, async (count) => {
      begun.push(await begin(graphql('{ event(id: 1) { id } }', gateway.adminToken)));
      await waitUntil('the first request reads the log', () => count() === 1);
      begun.push(await begin(create('waiting', gateway.adminToken)));
      expect((await create('another', another)).status).toBe(201);
      expect(await findCreated()).toEqual(['another']);
    });
    expect(await statusesOf(begun)).toEqual([200, 201]);
    expect(await findCreated()).toEqual(['another', 'waiting']);
  });
});
