import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

describe('queries that are sent repeatedly', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('log', { GRAPHQL_MAX_TOKENS: '10000', GRAPHQL_MAX_ALIASES: '2000' });
  });
  afterAll(() => gateway.stop());

  const sendRepeatedly = async (query: string, variables: object = {}) => {
    const results = [];
    // If the gateway keeps the result of the query, the last response is a kept one.
    for (let run = 0; run < 4; run += 1) results.push((await gateway.graphql(query, variables)).body);
    for (const result of results) expect(result).toEqual(results[0]);
    return results[0];
  };

  test.each([
    ['null alone', '[$u]'],
    ['null before another value', '[$u, 7]'],
  ])('a variable in a fragment before the operation, %s → BadDataError each time', async (_, ids) => {
    const query = `fragment F on Query { searchEvents(filter: { createdByUserIds: ${ids} }) { total } } query ($u: Int = 1) { ...F }`;
    expect((await sendRepeatedly(query, { u: 7 })).data.searchEvents).toEqual({ total: expect.any(Number) });
    const results = [];
    for (let run = 0; run < 3; run += 1) results.push((await gateway.graphql(query, { u: null })).body.errors[0]);
    for (const { message, extensions } of results) {
      expect(message).toBe(results[0].message);
      expect(extensions.name).toBe('BadDataError');
    }
  });

  test('a document with many fields → the same result each time', async () => {
    const fields = Array.from({ length: 1500 }, (_, n) => `f${n}: id`).join(' ');
    const { data } = await sendRepeatedly(`query ($first: Int!) { events(first: $first) { nodes { ${fields} } } }`, { first: 1 });
    expect(Object.keys(data.events.nodes[0])).toHaveLength(1500);
  });

  test('one fragment under two conditions → each place follows its own condition', async () => {
    const query = `query ($a: Boolean!, $b: Boolean!) {
      x: events { ...F @include(if: $a) __typename } y: events { ...F @include(if: $b) __typename }
    } fragment F on EventConnection { totalCount }`;
    const { data } = await sendRepeatedly(query, { a: false, b: true });
    expect(data).toEqual({ x: { __typename: 'EventConnection' }, y: { __typename: 'EventConnection', totalCount: 1276 } });
  });
});
