import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectError, expectGraphqlError } from '../support/expect-error.js';
import { recordedEvents, type WireEvent } from '../support/recorded-log.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const isVisible = ({ project }: WireEvent) => project === 'other-project' || project === 'mine';

describe('a token limited to projects', () => {
  let gateway: TestGateway;
  let limited: string;
  let limitedAdmin: string;
  let mine: number[];
  let hidden: number[];
  beforeAll(async () => {
    gateway = await startTestGateway('log');
    limited = await gateway.createToken({ projects: ['mine', 'other-project'] });
    limitedAdmin = await gateway.createToken({ role: 'ADMIN', projects: ['mine'] });
    const insert = (project: string | null) =>
      gateway.prisma.event.create({ data: { type: 'feature-created', createdBy: 'x', featureName: 'shared', project } });
    mine = [(await insert('mine')).id, (await insert('mine')).id].reverse();
    hidden = [
      (await insert(null)).id,
      (await insert('default')).id,
      (await insert('MINE')).id,
      (await insert('')).id,
      (await insert('*')).id,
    ];
  });
  afterAll(() => gateway.stop());

  const run = async (query: string, token = limited, variables: object = {}) => {
    const { body } = await gateway.graphql(query, variables, { token });
    expect(body.errors).toBeUndefined();
    return body.data;
  };
  const idsOf = (events: readonly { id: number }[]) => events.map(({ id }) => id);
  const visibleIds = () => [...mine, ...idsOf(recordedEvents.filter(isVisible))];

  test('featureEvents → only events of its projects, and their total', async () => {
    const { featureEvents } = await run('{ featureEvents(featureName: "shared") { totalEvents events { id } } }');
    expect(idsOf(featureEvents.events)).toEqual(mine);
    expect(featureEvents.totalEvents).toBe(mine.length);
    expect(await run('{ featureEvents(featureName: "shared") { totalEvents } }')).toEqual({
      featureEvents: { totalEvents: mine.length },
    });
  });

  test('searchEvents → only events of its projects, and their total', async () => {
    const { searchEvents } = await run('{ searchEvents(limit: 1000) { total events { id project } } }');
    expect(idsOf(searchEvents.events).sort()).toEqual(visibleIds().sort());
    expect(searchEvents.total).toBe(visibleIds().length);
  });

  test('events → only events of its projects, their total, and no other pages', async () => {
    const { events } = await run(
      '{ events(first: 1000) { totalCount nodes { id } edges { node { id } } pageInfo { hasNextPage hasPreviousPage } } }',
    );
    expect(idsOf(events.nodes).sort()).toEqual(visibleIds().sort());
    expect(events.edges.map(({ node }: { node: { id: number } }) => node.id)).toEqual(idsOf(events.nodes));
    expect(events.totalCount).toBe(visibleIds().length);
    expect(events.pageInfo).toEqual({ hasNextPage: false, hasPreviousPage: false });
  });

  test('event → events of its projects, null for every other', async () => {
    expect(await run(`{ event(id: ${mine[0]}) { id project } }`)).toEqual({ event: { id: mine[0], project: 'mine' } });
    for (const id of hidden) expect(await run(`{ event(id: ${id}) { id } }`)).toEqual({ event: null });
  });

  test.each([
    ['another project', { projects: ['default'] }, 0],
    ['its projects and another', { projects: ['default', 'other-project', 'mine'] }, 3],
    ['a type', { types: ['FEATURE_CREATED'], features: ['shared'] }, 2],
    ['an environment', { environments: ['development', 'production'], projects: ['default'] }, 0],
  ])('a filter by %s → never widens the scope', async (_, filter, total) => {
    const query =
      'query ($filter: EventFilter) { searchEvents(filter: $filter) { total events { project } } events(filter: $filter) { totalCount } }';
    const data = await run(query, limited, { filter });
    expect(data.searchEvents.total).toBe(total);
    expect(data.events.totalCount).toBe(total);
    for (const { project } of data.searchEvents.events) expect(['mine', 'other-project']).toContain(project);
  });

  test('the cursor of a hidden event → no hidden events and no hint of them', async () => {
    const all = await run(
      '{ events(first: 1, filter: {features: ["shared"], projects: ["*"]}) { edges { cursor } } }',
      gateway.adminToken,
    );
    const [{ cursor }] = all.events.edges;
    const query =
      'query ($cursor: String) { events(after: $cursor, filter: {features: ["shared"]}) { nodes { id } pageInfo { hasPreviousPage } } }';
    expect(await run(query, limited, { cursor })).toEqual({
      events: { nodes: mine.map((id) => ({ id })), pageInfo: { hasPreviousPage: false } },
    });
  });

  test('REST → only events of its projects, and their total', async () => {
    const list = await gateway.send('/api/admin/events/shared', { token: limited });
    expect(idsOf(list.body.events)).toEqual(mine);
    expect(list.body.totalEvents).toBe(mine.length);
    const search = await gateway.send('/api/admin/search/events?limit=1000&project=IS:default,mine', { token: limited });
    expect(idsOf(search.body.events)).toEqual(mine);
    expect(search.body.total).toBe(mine.length);
  });

  test('no projects → no events', async () => {
    const token = await gateway.createToken({ projects: [] });
    expect(
      await run('{ searchEvents { total } events { totalCount } featureEvents(featureName: "shared") { totalEvents } }', token),
    ).toEqual({
      searchEvents: { total: 0 },
      events: { totalCount: 0 },
      featureEvents: { totalEvents: 0 },
    });
  });

  test('the role ADMIN → only events of its projects; 403 for creating and reading signup tokens', async () => {
    expect(await run('{ searchEvents { total } }', limitedAdmin)).toEqual({ searchEvents: { total: mine.length } });

    const count = await gateway.prisma.publicSignupToken.count();
    const create = 'mutation { createPublicSignupToken(input: { name: "a", expiresAt: "2099-01-01T00:00:00Z" }) { secret } }';
    const { body } = await gateway.graphql(create);
    const { secret } = body.data.createPublicSignupToken;
    const options = { token: limitedAdmin };
    expectGraphqlError(await gateway.graphql(create, {}, options), 'FORBIDDEN', 'PermissionError');
    expectGraphqlError(
      await gateway.graphql(`{ signupToken(secret: "${secret}") { name } }`, {}, options),
      'FORBIDDEN',
      'PermissionError',
    );
    expectGraphqlError(
      await gateway.graphql('{ signupToken(secret: "x") { name } }', {}, options),
      'FORBIDDEN',
      'PermissionError',
    );
    const path = '/api/admin/invite-link/tokens';
    expectError(await gateway.postJson(path, { name: 'a', expiresAt: '2099-01-01T00:00:00Z' }, options), 403, 'PermissionError');
    expectError(await gateway.send(`${path}/${secret}`, options), 403, 'PermissionError');
    expect(await gateway.prisma.publicSignupToken.count()).toBe(count + 1);
  });
});
