import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ApolloClient } from '@apollo/client';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordedEvents } from '../support/recorded-log.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';
import { createApolloClient, flagHistory, invite } from './apollo-client.js';
import { createRequest, newFlags } from './fetch-client.js';
import { compile, compileEdited, FRONTEND, generate, readGenerated, withFrontendCopy } from './frontend-copy.js';

const FETCH_CLIENT = `${FRONTEND}/fetch-client.ts`;
const APOLLO_CLIENT = `${FRONTEND}/apollo-client.ts`;

/** The code blocks of the documentation: the configuration of graphql-codegen, then the clients. */
const documentedCode = [...read('docs/typed-clients.md').matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code.trim());

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway('log');
});
afterAll(() => gateway.stop());

describe('a typed client with fetch', () => {
  const expected = recordedEvents.filter(
    ({ type, createdAt }) => ['feature-created', 'feature-revived'].includes(type) && createdAt >= '2026-11-21',
  );

  test('a filter → its events and their number', async () => {
    const { flags, total } = await newFlags(createRequest(gateway.url, gateway.viewerToken), '2026-11-21', 1000);

    expect(total).toBe(expected.length);
    expect(flags).toEqual(
      expected.map(({ type, createdAt, featureName, data }) => ({
        flag: featureName,
        createdOn: type === 'feature-created' ? createdAt.slice(0, 10) : null,
        data,
      })),
    );
    expect(flags.map(({ createdOn }) => createdOn)).toContain(null);
  });

  test('a page size → no more events than that, and the total', async () => {
    const { flags, total } = await newFlags(createRequest(gateway.url, gateway.viewerToken), '2026-11-21', 2);

    expect(flags).toHaveLength(2);
    expect(total).toBe(expected.length);
  });

  test('an error → rejects with the message of the gateway', async () => {
    const request = createRequest(gateway.url, gateway.viewerToken);

    await expect(newFlags(createRequest(gateway.url, 'wrong'), '2026-11-21', 1)).rejects.toThrow('API token is not recognized');
    await expect(newFlags(request, '2026-02-30', 1)).rejects.toThrow('2026-02-30');
    await expect(newFlags(request, '2026-11-21', 1001)).rejects.toThrow('first must be a whole number from 0 to 1000');
  });
});

describe('a typed client with Apollo Client', () => {
  let admin: ApolloClient;
  beforeAll(() => {
    admin = createApolloClient(gateway.url, gateway.adminToken);
  });
  afterAll(() => admin.stop());

  test('a flag → its history', async () => {
    const lines = await flagHistory(admin, 'checkout-v2');

    const history = recordedEvents.filter(({ featureName }) => featureName === 'checkout-v2');
    expect(lines.length).toBeGreaterThan(1);
    expect(lines).toEqual(
      history.map(({ createdAt, createdBy, type }) => `${createdAt} ${createdBy} ${type.toUpperCase().replaceAll('-', '_')}`),
    );
  });

  test('an invitation → an invite link', async () => {
    const token = await invite(admin, 'colleagues', '2099-01-01T00:00:00Z');

    expect(token).toMatchObject({
      url: expect.stringContaining('/new-user?invite='),
      expiresAt: '2099-01-01T00:00:00.000Z',
      enabled: true,
    });
  });

  test('an error → rejects with the message of the gateway', async () => {
    const viewer = createApolloClient(gateway.url, gateway.viewerToken);

    await expect(invite(viewer, 'colleagues', '2099-01-01T00:00:00Z')).rejects.toThrow('ADMIN permission');
    await expect(invite(admin, ' ', '2099-01-01T00:00:00Z')).rejects.toThrow('name must be a text');
    await expect(flagHistory(createApolloClient(gateway.url, 'wrong'), 'checkout-v2')).rejects.toMatchObject({ statusCode: 401 });
  });
});

describe('the generated types', () => {
  test('an unchanged frontend → compiles', async () => {
    const outcome = await withFrontendCopy([], compile);

    expect(outcome).toEqual({ exitCode: 0, output: '' });
  });

  const WRONG_EDITS: [what: string, file: string, from: string, to: string, message: string][] = [
    [
      'a field that the document does not select',
      APOLLO_CLIENT,
      'event.createdBy',
      'event.createdByUserId',
      "Property 'createdByUserId' does not exist on type",
    ],
    ['a misspelled field', FETCH_CLIENT, 'events.totalCount', 'events.total', "Property 'total' does not exist on type"],
    [
      'a misspelled value of an enum',
      FETCH_CLIENT,
      "['FEATURE_CREATED',",
      "['feature-created',",
      `Type '"feature-created"' is not assignable to type 'EventType'`,
    ],
    [
      'a comparison with a text that is not an event type',
      FETCH_CLIENT,
      "type === 'FEATURE_CREATED'",
      "type === 'feature-created'",
      'have no overlap',
    ],
    [
      'an unknown field of a filter',
      FETCH_CLIENT,
      'from }, first',
      'startingAt: from }, first',
      "'startingAt' does not exist in type 'EventFilter'",
    ],
    [
      'a LocalDate that is not a string',
      FETCH_CLIENT,
      'from }, first',
      'from: new Date(from) }, first',
      "Type 'Date' is not assignable to type 'string'",
    ],
    [
      'a DateTimeISO taken for a Date',
      FETCH_CLIENT,
      'createdAt.slice(0, 10)',
      'createdAt.toISOString()',
      "Property 'toISOString' does not exist on type 'string'",
    ],
    [
      'a property of unchecked JSON',
      FETCH_CLIENT,
      'createdOn, data }',
      'createdOn, data: data.name }',
      "'data' is of type 'unknown'",
    ],
    [
      'null where the schema forbids it',
      APOLLO_CLIENT,
      '{ name, expiresAt }',
      '{ name, expiresAt: null }',
      "Type 'null' is not assignable to type 'string'",
    ],
    ['a variable left out', APOLLO_CLIENT, 'variables: { flag }', 'variables: {}', "Property 'flag' is missing in type"],
    [
      'a document that was changed without generating the types again',
      FETCH_CLIENT,
      'nodes { type',
      'nodes { id type',
      "Argument of type 'unknown' is not assignable to parameter of type 'TypedDocumentNode<",
    ],
  ];
  let errors: readonly string[];
  beforeAll(async () => {
    errors = await compileEdited(WRONG_EDITS.map(([, file, from, to]) => ({ file, from, to })));
  });

  test.each(WRONG_EDITS.map(([what, file, , , message], index) => ({ what, file, message, index })))(
    '$what → does not compile',
    ({ file, message, index }) => {
      expect(errors[index]).toContain(message);
      expect(errors[index]).toContain(file.slice(FRONTEND.length));
    },
  );

  test('a copy without an edit, compiled together with these → compiles', () => {
    expect(errors.slice(WRONG_EDITS.length)).toEqual(['']);
  });
});

describe('graphql-codegen', () => {
  test('a document with an unknown field → an error', async () => {
    const edit = { file: FETCH_CLIENT, from: 'nodes { type createdAt', to: 'nodes { type creationTime' };
    const outcome = await withFrontendCopy([edit], generate);

    expect(outcome.output).toContain('Cannot query field "creationTime" on type "Event"');
    expect(outcome.exitCode).not.toBe(0);
  });

  test('the committed schema → the committed files', async () => {
    const generated = await withFrontendCopy([], async (folder) => {
      expect(await generate(folder)).toMatchObject({ exitCode: 0 });
      return readGenerated(folder);
    });

    expect(generated).toEqual(await readGenerated());
  });

  test('the documented configuration with the schema of a running gateway → the same files', async () => {
    const [configuration = ''] = documentedCode;
    const config = configuration
      .replace('http://127.0.0.1:4000', gateway.url)
      .replace("process.env.TOKEN ?? ''", `'${gateway.viewerToken}'`)
      .replaceAll("'src/", `'${FRONTEND}/`);
    const generated = await withFrontendCopy([], async (folder) => {
      await writeFile(path.join(folder, 'codegen.ts'), config);
      expect(await generate(folder)).toMatchObject({ exitCode: 0 });
      return readGenerated(folder);
    });

    expect(config).toContain(gateway.url);
    expect(generated).toEqual(await readGenerated());
  });
});

test('the clients in the documentation → the same as these', () => {
  const [, ...clients] = documentedCode;
  const code = [FETCH_CLIENT, APOLLO_CLIENT].map(read).join('\n');

  expect(clients.length).toBeGreaterThan(0);
  for (const client of clients) expect(code).toContain(client);
});

function read(file: string): string {
  return readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
}
