import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

/** What graphql-jit makes code of, where it is let. */
const MARKER = '__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d';

describe('queries that are sent again and again', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('log', { GRAPHQL_MAX_TOKENS: '10000', GRAPHQL_MAX_ALIASES: '2000' });
  });
  afterAll(() => gateway.stop());

  const sendThrice = async (query: string, variables: object = {}) => {
    const answers = [];
    for (let run = 0; run < 3; run += 1) answers.push((await gateway.graphql(query, variables)).body);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    return answers[0];
  };

  test.each([
    ['an argument', (text: string) => `{ featureEvents(featureName: "${text}") { toggleName } }`],
    ['a block string', (text: string) => `{ featureEvents(featureName: """${text}""") { toggleName } }`],
    ['a default value', (text: string) => `query ($n: String! = "${text}") { featureEvents(featureName: $n) { toggleName } }`],
  ])('a text in %s never becomes code', async (_, toQuery) => {
    const text = `${MARKER}(globalThis.isTaken = true)`;
    const { data } = await sendThrice(toQuery(text));
    expect(data).toEqual({ featureEvents: { toggleName: text } });
    expect(globalThis).not.toHaveProperty('isTaken');
  });

  test('nor does one in a variable', async () => {
    const text = `${MARKER}(globalThis.isTaken = true)`;
    const { data } = await sendThrice('query ($n: String!) { featureEvents(featureName: $n) { toggleName } }', { n: text });
    expect(data).toEqual({ featureEvents: { toggleName: text } });
    expect(globalThis).not.toHaveProperty('isTaken');
  });

  test.each([
    ['null alone', '[$u]'],
    ['null before another', '[$u, 7]'],
  ])('a null for a variable of a fragment that stands first is refused each time, %s', async (_, ids) => {
    const query = `fragment F on Query { searchEvents(filter: { createdByUserIds: ${ids} }) { total } } query ($u: Int = 1) { ...F }`;
    expect((await sendThrice(query, { u: 7 })).data.searchEvents).toEqual({ total: expect.any(Number) });
    const answers = [];
    for (let run = 0; run < 3; run += 1) answers.push((await gateway.graphql(query, { u: null })).body.errors[0]);
    for (const { message, extensions } of answers) {
      expect(message).toBe(answers[0].message);
      expect(extensions.name).toBe('BadDataError');
    }
  });

  test('a document of more fields than are compiled is answered like others', async () => {
    const fields = Array.from({ length: 1500 }, (_, n) => `f${n}: id`).join(' ');
    const { data } = await sendThrice(`query ($first: Int!) { events(first: $first) { nodes { ${fields} } } }`, { first: 1 });
    expect(Object.keys(data.events.nodes[0])).toHaveLength(1500);
  });

  test('a condition of one place is none of another', async () => {
    const query = `query ($a: Boolean!, $b: Boolean!) {
      x: events { ...F @include(if: $a) __typename } y: events { ...F @include(if: $b) __typename }
    } fragment F on EventConnection { totalCount }`;
    const { data } = await sendThrice(query, { a: false, b: true });
    expect(data).toEqual({ x: { __typename: 'EventConnection' }, y: { __typename: 'EventConnection', totalCount: 1276 } });
  });
});
