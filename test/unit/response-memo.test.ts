import { expect, test } from '@jest/globals';
import { JsonList } from '../../src/formats/json-text.js';
import { createResponseMemo } from '../../src/graphql/response-memo.js';
import type { RequestContext } from '../../src/request-context.js';
import { createStatistics } from '../../src/telemetry/request-statistics.js';

test('a result that stays in memory → its lists are one string', async () => {
  const memo = createResponseMemo({ readVersion: async () => '1', charge: async () => undefined });
  const context = { caller: { projects: 'all' }, statistics: createStatistics() } as unknown as RequestContext;
  let nodes = new JsonList([]);
  const run = async () => {
    nodes = new JsonList(['1', '2', '3']);
    return { data: { events: { nodes } } };
  };
  const request = { operation: 'a', variables: {}, context };
  await memo.run(request, run);
  await memo.run(request, run);
  expect(nodes.takeParts()).toEqual(['[', '1', ',2', ',3', ']']);
  await memo.run(request, run);
  expect(nodes.takeParts()).toEqual(['[1,2,3]']);
});
