import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildSchema, type GraphQLEnumType } from 'graphql';
import { EVENT_TYPES } from '../../src/events/event-types.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const UNLISTED = ['from-the-future', 'FEATURE_CREATED', 'OTHER', 'other', 'Feature-Created', ''];

describe('2.2 Event types in GraphQL', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
    await gateway.prisma.event.createMany({
      data: [...EVENT_TYPES, ...UNLISTED].map((type) => ({ type, createdBy: 'x' })),
    });
  });
  afterAll(() => gateway.stop());

  const search = async (filter: object) => {
    const query =
      'query ($filter: EventFilter) { searchEvents(filter: $filter, limit: 1000) { total events { type typeName } } }';
    const { body } = await gateway.graphql(query, { filter });
    expect(body.errors).toBeUndefined();
    expect(body.data.searchEvents.total).toBe(body.data.searchEvents.events.length);
    return body.data.searchEvents.events as { type: string; typeName: string }[];
  };
  const typeNames = async (filter: object) => (await search(filter)).map(({ typeName }) => typeName).sort();

  test('the enum → each type of the specification in upper snake case, and OTHER', async () => {
    const { body } = await gateway.graphql('{ __type(name: "EventType") { enumValues { name } } }');
    const names = body.data.__type.enumValues.map(({ name }: { name: string }) => name);
    expect(names.sort()).toEqual([...EVENT_TYPES.map((type) => type.toUpperCase().replaceAll('-', '_')), 'OTHER'].sort());
    expect(EVENT_TYPES).toHaveLength(146 + 33);
  });

  test('any event → its enum value and its exact type; an unlisted type → OTHER', async () => {
    const events = await search({});
    expect(events).toHaveLength(EVENT_TYPES.length + UNLISTED.length);
    const byName = new Map(events.map(({ type, typeName }) => [typeName, type]));
    for (const type of EVENT_TYPES) expect(byName.get(type)).toBe(type.toUpperCase().replaceAll('-', '_'));
    for (const type of UNLISTED) expect(byName.get(type)).toBe('OTHER');
  });

  test('types → events of those types', async () => {
    expect(await typeNames({ types: ['FEATURE_CREATED', 'ACTIONS_DELETED'] })).toEqual(['actions-deleted', 'feature-created']);
  });

  test('types OTHER → all unlisted types, and no others', async () => {
    expect(await typeNames({ types: ['OTHER'] })).toEqual([...UNLISTED].sort());
  });

  test('types OTHER and a listed one → both', async () => {
    expect(await typeNames({ types: ['OTHER', 'FEATURE_CREATED'] })).toEqual([...UNLISTED, 'feature-created'].sort());
  });

  test('typeNames → the exact strings, listed or not', async () => {
    expect(await typeNames({ typeNames: ['feature-created', 'from-the-future', 'OTHER', 'no-such-type'] })).toEqual(
      ['OTHER', 'feature-created', 'from-the-future'].sort(),
    );
  });

  test('types and typeNames → the types of either', async () => {
    expect(await typeNames({ types: ['FEATURE_CREATED'], typeNames: ['from-the-future'] })).toEqual([
      'feature-created',
      'from-the-future',
    ]);
  });

  test('REST → the exact string as type', async () => {
    const { body } = await gateway.send('/api/admin/search/events?limit=1000');
    expect(body.events.map(({ type }: { type: string }) => type).sort()).toEqual([...EVENT_TYPES, ...UNLISTED].sort());
    expect(body.events[0]).not.toHaveProperty('typeName');
  });

  test('the committed schema → all types', () => {
    const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
    const values = (schema.getType('EventType') as GraphQLEnumType).getValues();
    expect(values.map(({ name, description }) => [name, description])).toEqual(
      expect.arrayContaining(EVENT_TYPES.map((type) => [type.toUpperCase().replaceAll('-', '_'), `\`${type}\``])),
    );
  });
});
