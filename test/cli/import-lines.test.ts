import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createImportStore } from '../../src/log-copy/import.store.js';
import { ImportError } from '../../src/log-copy/import-error.js';
import { importEvents } from '../../src/log-copy/import-events.js';
import { eventLine as line } from '../support/event-line.js';
import { ADD_ODD_ROWS } from '../support/odd-rows.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

describe('lines of an import', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.stop());

  const load = (lines: readonly string[]) =>
    importEvents(createImportStore(gateway.database), inChunks(Buffer.from(lines.join('\n'))), () => undefined);

  test('an error of the database that is not about the data → thrown as it is', async () => {
    const failure = Object.assign(new Error('No space left on device'), { code: '53100' });
    const importing = createImportStore(gateway.database).inTransaction(({ attempt }) => attempt(() => Promise.reject(failure)));
    await expect(importing).rejects.toBe(failure);
  });

  test('an export of events with odd texts, times and tags → the same export again', async () => {
    await gateway.prisma.$executeRawUnsafe(ADD_ODD_ROWS);
    const readExport = async () => (await gateway.send('/v1/events/export', { token: gateway.adminToken })).text;
    const exported = await readExport();
    const count = await gateway.prisma.event.count();
    await gateway.prisma.event.deleteMany();
    await load([exported]);
    expect(await gateway.prisma.event.count()).toBe(count);
    expect(await readExport()).toBe(exported);
    await gateway.prisma.event.deleteMany();
  });

  describe('an invalid line → an error with its number, and nothing is imported', () => {
    // These lines fill more than one batch: the rollback also covers batches that were sent before.
    const many = Array.from({ length: 1500 }, (_, index) => line(index + 1));
    test.each<[string, string, RegExp]>([
      ['not JSON', '{"id": 1', /not valid JSON/],
      ['a list', '[]', /JSON object/],
      ['no id', line(1).replace('"id":1,', ''), /id must be a whole number/],
      ['an id of 0', line(0), /id must be a whole number/],
      ['an id beyond 32 bits', line(2_147_483_648), /id must be a whole number/],
      ['a date as createdAt', line(9999, { createdAt: '2024-01-01' }), /createdAt must be an RFC 3339/],
      ['a date that does not exist', line(9999, { createdAt: '2024-02-30T00:00:00Z' }), /createdAt must be an RFC 3339/],
      ['no createdBy', line(9999, { createdBy: undefined }), /createdBy must be a text/],
      ['a project that is a number', line(9999, { project: 1 }), /project must be a text/],
      ['a NUL in the name of the flag', line(9999, { featureName: 'a\0' }), /featureName must not contain the NUL/],
      ['tags that are not a list', line(9999, { tags: {} }), /tags must be a list/],
      ['data of 1,000 levels', line(9999, { data: '?' }).replace('"?"', nested(1000)), /nested more than 1000 levels deep/],
      ['invalid JSON in data', line(9999).replace('}', ',"data":{a:1}}'), /rejected by the database/],
      [
        'whitespace before data that JSON does not allow',
        line(9999).replace('}', ',"data":\u00a0{}}'),
        /rejected by the database/,
      ],
      ['data twice, the first invalid JSON', line(9999).replace('}', ',"data":oops,"data":{}}'), /not valid JSON/],
      ['an unterminated data', line(9999).replace('}', ',"data":{"a":"b}}'), /not valid JSON/],
      ['a key without a value after data', line(9999).replace('}', ',"data":{},"a"}'), /not valid JSON/],
      ['a NUL in preData', line(9999, { preData: { a: '\0' } }), /rejected by the database/],
      ['half a surrogate pair in preData', line(9999).replace('}', ',"preData":{"a":"\\ud800"}}'), /rejected by the database/],
      ['half a surrogate pair in a name', line(9999).replace('"importer"', '"\\ud800"'), /createdBy|rejected by the database/],
    ])('%s', async (_, invalid, rule) => {
      const loading = load([...many, invalid, line(10_000)]);
      await expect(loading).rejects.toThrow(ImportError);
      await expect(loading).rejects.toThrow(/^Line 1501 .*Nothing of the file was imported\.$/s);
      await expect(loading).rejects.toThrow(rule);
      expect(await gateway.prisma.event.count()).toBe(0);
    });
  });

  const withData = (data: string) => line(77).replace('}', `,"data":${data},"preData":${data}}`);
  test.each<[string, string, number | null]>([
    ['{"a":1234567890123456789}', '{"a":1234567890123456700}', null],
    ['{"a":0.1}', '{"a":0.10000000000000000001}', null],
    ['{"a":"1"}', '{"a":1}', null],
    ['{"a":1}', '{"b":1}', null],
    ['{"a":1.0e2,"b":[-0,1E-3]}', '{"b":[0,0.00100],"a":100}', 0],
    ['{"a":"x \\" 1.0 \\\\"}', '{"a":"x \\u0022 1.0 \\\\"}', 0],
  ])('an event with %s, imported again with %s → added: %s (null: rejected)', async (first, second, added) => {
    await load([withData(first)]);
    const again = load([withData(second)]);
    if (added === null) await expect(again).rejects.toThrow(/id 77, which another event of the log/);
    else expect(await again).toEqual({ read: 1, added, total: null });
    await gateway.prisma.event.deleteMany();
  });

  test('an event of 1,000 levels → imported, and recognized when it is imported again', async () => {
    expect(await load([withData(nested(999))])).toEqual({ read: 1, added: 1, total: null });
    expect(await load([withData(nested(999))])).toEqual({ read: 1, added: 0, total: null });
    await gateway.prisma.event.deleteMany();
  });

  test('values that JSON allows but some readers reject → readable over REST and GraphQL', async () => {
    const unusual = [
      line(1, { featureName: 'odd', data: { a: '\0' } }),
      line(2, { featureName: 'odd' }).replace('}', ',"data":{"a":"\\ud800"}}'),
      line(3, { featureName: 'odd', data: { ['\0']: 1 } }),
      line(4, { featureName: 'odd', tags: [{ type: 'simple', value: 'a', color: '#fff' }] }),
      line(5, { featureName: 'odd' }).replace('}', ',"data":{"n":1e400,"__proto__":{"a":1}}}'),
    ];
    expect(await load(unusual)).toEqual({ read: 5, added: 5, total: null });
    for (const path of ['/api/admin/events/odd', '/api/admin/search/events?query=a', '/api/admin/search/events?query=%C3%A4']) {
      expect((await gateway.send(path)).status).toBe(200);
    }
    const search =
      '{ searchEvents(filter: { query: ":", searchIn: [DATA, PRE_DATA, TAGS] }) { total events { id data preData } } }';
    const { body } = await gateway.graphql(search);
    expect(body.errors).toBeUndefined();
    expect(body.data.searchEvents.total).toBe(5);
  });
});

/** Returns the JSON of nested arrays. */
function nested(levels: number): string {
  return `${'['.repeat(levels)}${']'.repeat(levels)}`;
}

/** Splits the bytes into chunks of an odd size, so that they end anywhere in a line. */
async function* inChunks(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 1021) yield bytes.subarray(start, start + 1021);
}
