import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { detailsOf, expectError } from '../support/expect-error.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

describe('4.2 Search events: rejected requests', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.stop());

  const search = (parameters: string) => gateway.send(`/api/admin/search/events?${parameters}`);

  describe('an invalid parameter → 400 with its name and the rule', () => {
    const LIST = /must be IS: or IS_ANY_OF:/;
    const NO_VALUE = /at least one value/;
    const cases: [string, string, RegExp][] = [
      ...['feature', 'project', 'type', 'createdBy', 'environment', 'id'].flatMap((name): [string, string, RegExp][] => [
        [`${name}=`, name, LIST],
        [`${name}=1`, name, LIST],
        [`${name}=is:1`, name, LIST],
        [`${name}=%20IS:1`, name, LIST],
        [`${name}=IS_NOT:1`, name, LIST],
        [`${name}=IS:1%0A`, name, LIST],
        [`${name}=IS:`, name, NO_VALUE],
        [`${name}=IS_ANY_OF:`, name, NO_VALUE],
        [`${name}=IS:,%20,`, name, NO_VALUE],
        [`${name}=IS:1&${name}=IS:1`, name, /more than once/],
      ]),
      ...['feature', 'project', 'type', 'environment'].map((name): [string, string, RegExp] => [`${name}=IS:a%00b`, name, /NUL/]),
      ...[
        'IS:a',
        'IS:1.5',
        'IS:1e3',
        'IS:0x1',
        'IS:%2B1',
        'IS:2147483648',
        'IS:-2147483649',
        'IS:1,a',
        'IS:--1',
        'IS:%D9%A3',
      ].flatMap((value) =>
        ['createdBy', 'id'].map((name): [string, string, RegExp] => [`${name}=${value}`, name, /whole numbers/]),
      ),
      [`query=${'a'.repeat(1_001)}`, 'query', /at most 1000 characters/],
      [`feature=IS:${'a,'.repeat(501)}`, 'feature', /at most 500 values/],
      ...['groupId', 'groupid', 'groupId[]'].map((name): [string, string, RegExp] => [`${name}=IS:1`, name, /is not supported/]),
      ...['type[]', 'feature[0]', 'Feature', 'LIMIT', 'limit[0]', 'createdby', 'ID', 'environment[a][b]'].map(
        (name): [string, string, RegExp] => [`${name}=IS:1`, name, /must be written/],
      ),
      ...['from', 'to'].flatMap((name): [string, string, RegExp][] => [
        ...[
          '',
          'IS:',
          '2024-01-01',
          'IS_ANY_OF:2024-01-01',
          'IS:2024-1-1',
          'IS:2024-02-30',
          'IS:2023-02-29',
          'IS:2024-13-01',
          'IS:2024-00-10',
          'IS:0000-01-01',
          'IS:2024-01-01T00:00:00Z',
          'IS:2024-01-01%0A',
          'IS:02024-01-01',
          '%20IS:2024-01-01',
        ].map((value): [string, string, RegExp] => [`${name}=${value}`, name, /existing date/]),
        [`${name}=IS:2024-01-01&${name}=IS:2024-01-01`, name, /more than once/],
      ]),
      ...['', '0', '-1', '1001', '1.5', '1e2', '0x10', '+5', '%205', 'NaN', 'Infinity', '99999999999999999999', '%D9%A3'].map(
        (value): [string, string, RegExp] => [`limit=${value}`, 'limit', /from 1 to 1000/],
      ),
      ...['', '-1', '2147483648', '1.5', '1e2', '0x10', '%2B5', 'x', '99999999999999999999'].map(
        (value): [string, string, RegExp] => [`offset=${value}`, 'offset', /from 0 to 2147483647/],
      ),
      ['limit=1&limit=1', 'limit', /more than once/],
      ['offset=1&offset=1', 'offset', /more than once/],
      ['query=a&query=b', 'query', /more than once/],
      ['query=a%00b', 'query', /NUL/],
    ];
    test.each(cases)('%s', async (parameters, name, rule) => {
      const response = await search(parameters);
      expectError(response, 400, 'BadDataError');
      expect(detailsOf(response)).toEqual([
        expect.stringMatching(new RegExp(`^${name.replace(/[[\]]/g, '\\$&')} .*${rule.source}`)),
      ]);
      expect(response.body.message).toContain(name);
    });

    test('several invalid parameters → all are reported', async () => {
      const response = await search(
        'query=%00&feature=x&project=IS:&type=IS:%0A&createdBy=IS:x&from=x&to=IS:2024-02-30&offset=-1&limit=0',
      );
      expectError(response, 400, 'BadDataError');
      const named = response.body.details.map(({ path }: { path: string }) => path).sort();
      expect(named).toEqual(['createdBy', 'feature', 'from', 'limit', 'offset', 'project', 'query', 'to', 'type']);
    });
  });

  test.each([
    'query=%E0%A4%A',
    'query=%',
    'feature=IS:%zz',
    '&&=&',
    'query[]=a',
    'limit[$gt]=1',
    '__proto__=x',
    'constructor=IS:x',
    'query=%F0%9F%9A%A9',
    'query=%ED%A0%80',
  ])('the unusual query string %s → no 5xx', async (parameters) => {
    expect((await search(parameters)).status).toBeLessThan(500);
  });
});
