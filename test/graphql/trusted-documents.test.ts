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
    ['documentId with the prefix sha256:', { documentId: `sha256:${id}` }],
    ["the extension of Apollo's clients", { extensions: { persistedQuery: { version: 1, sha256Hash: id } } }],
  ])('a listed document by %s, over POST and GET → runs', async (_, parameters) => {
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

  test('other extensions of the request → still work', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: id }, cost: true };
    const { body } = await gateway.postJson('/graphql', { extensions, variables });
    expect(body.extensions.cost.cost).toBeGreaterThan(0);
  });

  test('an unknown id → 400', async () => {
    const response = await gateway.postJson('/graphql', { documentId: 'f'.repeat(64) });
    expect(response.status).toBe(400);
    expectGraphqlError(response, 'BAD_USER_INPUT', 'BadDataError');
  });

  test('REST paths → work', async () => {
    expect((await gateway.send('/api/admin/search/events?limit=1')).status).toBe(200);
  });
});

describe('a document sent as text', () => {
  let gateway: TestGateway;
  afterEach(() => gateway.stop());
  const start = async (mode: string) => {
    gateway = await startTestGateway('log', { TRUSTED_DOCUMENTS: mode, TRUSTED_DOCUMENTS_FILES: mode === 'off' ? '' : MANIFEST });
  };

  test('mode off → runs; an id → 400', async () => {
    await start('off');
    expect((await gateway.graphql(TYPENAME)).body).toEqual({ data: { __typename: 'Query' } });
    expect((await gateway.postJson('/graphql', { documentId: id })).status).toBe(400);
  });

  test('mode log → runs, with a warning unless it is listed', async () => {
    await start('log');
    const warnings = () => gateway.log.map((line) => JSON.parse(line)).filter(({ trusted }) => trusted === false);
    await gateway.graphql(text, variables);
    expect(warnings()).toEqual([]);
    await gateway.graphql(TYPENAME);
    expect(warnings()).toEqual([
      expect.objectContaining({ level: 40, sha256: createHash('sha256').update(TYPENAME).digest('hex'), operation: null }),
    ]);
  });

  test.each([TYPENAME, text])('mode require → 403 with the reason, listed or not (%#)', async (query) => {
    await start('require');
    for (const response of [
      await gateway.graphql(query, variables),
      await gateway.send(`/graphql?query=${encodeURIComponent(query)}`),
      await gateway.postJson('/graphql', [{ query }]),
    ]) {
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.body.data).toBeUndefined();
    }
    const response = await gateway.graphql(query);
    expect(response.status).toBe(403);
    expectGraphqlError(response, 'FORBIDDEN', 'PermissionError');
    expect(response.body.errors[0].message).toContain('trusted documents only');
  });
});

describe('lists of trusted documents', () => {
  test("a manifest of Apollo's tool beside another list → both are read", async () => {
    const file = path.join(folder, 'manifest.json');
    const operations = [{ id: 'abc', name: 'A', type: 'query', body: 'query A { __typename }' }];
    await writeFile(file, JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations }));
    const { byId } = readTrustedDocuments([MANIFEST, file]);
    expect(byId.get('abc')).toBe('query A { __typename }');
    expect(byId.get(id)).toBe(text);
  });

  test.each(['{"a": 1}', '[]', 'null', '{'])('a file that is not a list (%s) → an error with its name', async (content) => {
    const file = path.join(folder, 'wrong.json');
    await writeFile(file, content);
    expect(() => readTrustedDocuments([file])).toThrow(file);
  });
});
