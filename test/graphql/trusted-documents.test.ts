import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { readTrustedDocuments } from '../../src/graphql/trusted-documents.js';
import { expectGraphqlError } from '../support/expect-error.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const MANIFEST = 'test/typed-clients/generated/persisted-documents.json';
const [listed] = readTrustedDocuments([MANIFEST]).byId;
const [id, text] = listed ?? ['', ''];
const TYPENAME = '{ __typename }';
const variables = { first: 2, flag: 'dark_mode' };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'gateway-documents-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe.each(['log', 'require'])('TRUSTED_DOCUMENTS=%s', (mode) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('log', { TRUSTED_DOCUMENTS: mode, TRUSTED_DOCUMENTS_FILES: MANIFEST });
  });
  afterAll(() => gateway.stop());

  test.each<[string, object]>([
    ['documentId', { documentId: id }],
    ['documentId with the name of the hash', { documentId: `sha256:${id}` }],
    ["the extension of Apollo's clients", { extensions: { persistedQuery: { version: 1, sha256Hash: id } } }],
  ])('a listed document runs by %s, over POST and GET', async (_, parameters) => {
    const posted = await gateway.postJson('/graphql', { ...parameters, variables });
    expect(posted).toMatchObject({ status: 200, body: { data: expect.any(Object) } });
    const search = new URLSearchParams(
      Object.entries({ ...parameters, variables }).map(([name, value]): [string, string] => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );
    const got = await gateway.send(`/graphql?${search}`);
    expect(got.body).toEqual(posted.body);
  });

  test('other extensions of such a request are kept', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: id }, cost: true };
    const { body } = await gateway.postJson('/graphql', { extensions, variables });
    expect(body.extensions.cost.cost).toBeGreaterThan(0);
  });

  test('an id that is not listed → 400', async () => {
    const answer = await gateway.postJson('/graphql', { documentId: 'f'.repeat(64) });
    expect(answer.status).toBe(400);
    expectGraphqlError(answer, 'BAD_USER_INPUT', 'BadDataError');
  });

  test('the REST paths work', async () => {
    expect((await gateway.send('/api/admin/search/events?limit=1')).status).toBe(200);
  });
});

describe('a document that is sent as text', () => {
  let gateway: TestGateway;
  afterEach(() => gateway.stop());
  const start = async (mode: string) => {
    gateway = await startTestGateway('log', { TRUSTED_DOCUMENTS: mode, TRUSTED_DOCUMENTS_FILES: mode === 'off' ? '' : MANIFEST });
  };

  test('off: runs, and an id is refused', async () => {
    await start('off');
    expect((await gateway.graphql(TYPENAME)).body).toEqual({ data: { __typename: 'Query' } });
    expect((await gateway.postJson('/graphql', { documentId: id })).status).toBe(400);
  });

  test('log: runs, and is noted unless it is listed', async () => {
    await start('log');
    const noted = () => gateway.log.map((line) => JSON.parse(line)).filter(({ trusted }) => trusted === false);
    await gateway.graphql(text, variables);
    expect(noted()).toEqual([]);
    await gateway.graphql(TYPENAME);
    expect(noted()).toEqual([
      expect.objectContaining({ level: 40, sha256: createHash('sha256').update(TYPENAME).digest('hex'), operation: null }),
    ]);
  });

  test.each([TYPENAME, text])('require: → 403 that says why, listed or not (%#)', async (query) => {
    await start('require');
    for (const answer of [
      await gateway.graphql(query, variables),
      await gateway.send(`/graphql?query=${encodeURIComponent(query)}`),
      await gateway.postJson('/graphql', [{ query }]),
    ]) {
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.body.data).toBeUndefined();
    }
    const answer = await gateway.graphql(query);
    expect(answer.status).toBe(403);
    expectGraphqlError(answer, 'FORBIDDEN', 'PermissionError');
    expect(answer.body.errors[0].message).toContain('trusted documents only');
  });
});

describe('lists of trusted documents', () => {
  test("of Apollo's tool are read too, and several together", async () => {
    const file = path.join(folder, 'manifest.json');
    const operations = [{ id: 'abc', name: 'A', type: 'query', body: 'query A { __typename }' }];
    await writeFile(file, JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations }));
    const { byId } = readTrustedDocuments([MANIFEST, file]);
    expect(byId.get('abc')).toBe('query A { __typename }');
    expect(byId.get(id)).toBe(text);
  });

  test.each(['{"a": 1}', '[]', 'null', '{'])('that is none is refused by its name: %s', async (content) => {
    const file = path.join(folder, 'wrong.json');
    await writeFile(file, content);
    expect(() => readTrustedDocuments([file])).toThrow(file);
  });
});
