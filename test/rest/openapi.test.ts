import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { EVENT_TYPES } from '../../src/events/event-types.js';
import type { WireEvent } from '../support/recorded-log.js';
import type { RawResponse } from '../support/send-raw.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const FEATURE_EVENTS = '/api/admin/events/{featureName}';
const SEARCH = '/api/admin/search/events';
const EXPORT = '/v1/events/export';
const FEED = '/v1/events/feed';
const TOKENS = '/api/admin/invite-link/tokens';
const COUNTS = '/v1/events/counts';
const LIST = '^(IS|IS_ANY_OF):(.*?)(,([a-zA-Z0-9_]+))*$';
const DAY = '^(IS):\\d{4}-\\d{2}-\\d{2}$';
const valid = { name: 'Invite', expiresAt: '2099-01-01T00:00:00Z' };

interface Operation {
  readonly requestBody?: Message;
  readonly responses: Readonly<Record<string, Message>>;
}
interface Message {
  readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref: string } }>>;
}

// biome-ignore lint/suspicious/noExplicitAny: these tests check the shape of the document
const committed: any = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
const operation = (path: string, method = 'get') => committed.paths[path][method];
const schemaOf = (path: string, method: string, status: number) =>
  resolve(operation(path, method).responses[status].content['application/json'].schema);
/** Returns the schema that a `$ref` names. */
const resolve = ({ $ref }: { readonly $ref: string }) => {
  const [, name] = /^#\/components\/schemas\/(\w+)$/.exec($ref) ?? [];
  return committed.components.schemas[String(name)];
};

describe('openapi.json', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('log');
  });
  afterAll(() => gateway.stop());

  test('is what the gateway serves', async () => {
    const { status, body } = await gateway.send('/openapi.json', { token: null });
    expect(status).toBe(200);
    expect(body).toEqual(committed);
  });

  test('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(committed.info.version).toBe(version);
  });

  test('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(committed))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('has the operations of the specification and those below /v1, each with the authorization header or the session cookie', () => {
    const operations = Object.entries(committed.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method} ${path}`),
    );
    expect(operations.sort()).toEqual(
      [
        `get ${FEATURE_EVENTS}`,
        `get ${TOKENS}/{secret}`,
        `get ${SEARCH}`,
        `get ${EXPORT}`,
        `get ${FEED}`,
        `get ${COUNTS}`,
        `post ${TOKENS}`,
      ].sort(),
    );
    expect(committed.components.securitySchemes.apiToken).toMatchObject({ type: 'apiKey', in: 'header', name: 'authorization' });
    expect(committed.components.securitySchemes.session).toMatchObject({ type: 'apiKey', in: 'cookie', name: 'unleash-session' });
    expect(committed.security).toEqual([{ apiToken: [] }, { session: [] }]);
  });

  test('deprecates the search, isAPI and permissions, and nothing else', () => {
    expect(operation(SEARCH).deprecated).toBe(true);
    const { isAPI, permissions, ...others } = resolve(schemaOf(TOKENS, 'post', 201).properties.users.anyOf[0].items).properties;
    expect([isAPI.deprecated, permissions.deprecated]).toEqual([true, true]);
    for (const other of [
      operation(FEATURE_EVENTS),
      operation(COUNTS),
      operation(TOKENS, 'post'),
      operation(`${TOKENS}/{secret}`),
      ...Object.values(others),
    ]) {
      expect(other).not.toHaveProperty('deprecated');
    }
  });

  test('has each parameter of the search with its pattern and limits', () => {
    const parameters = Object.fromEntries(
      operation(SEARCH).parameters.map((parameter: { name: string }) => [parameter.name, parameter]),
    );
    const query = (schema: object) =>
      expect.objectContaining({ in: 'query', required: false, schema, description: expect.stringMatching(/\S/) });
    expect(parameters).toEqual({
      query: query({ type: 'string' }),
      feature: query({ type: 'string', pattern: LIST }),
      project: query({ type: 'string', pattern: LIST }),
      type: query({ type: 'string', pattern: LIST }),
      createdBy: query({ type: 'string', pattern: LIST }),
      environment: query({ type: 'string', pattern: LIST }),
      id: query({ type: 'string', pattern: LIST }),
      from: query({ type: 'string', pattern: DAY }),
      to: query({ type: 'string', pattern: DAY }),
      offset: query(expect.objectContaining({ type: 'string', default: '0' })),
      limit: query(expect.objectContaining({ type: 'string', default: '50' })),
      'if-none-match': expect.objectContaining({ in: 'header', required: false }),
    });
    expect(parameters.limit.description).toContain('1000');
    expect(operation(SEARCH)).not.toHaveProperty('requestBody');
  });

  test.each([
    [COUNTS, ['if-none-match', 'by', 'interval', 'timeZone', 'top']],
    [EXPORT, ['format', 'formulas', 'after', 'up-to']],
  ])('has each parameter of %s: the filters of the search, newer ones, and its own', (path, own) => {
    const filtersOf = (of: string, others: readonly string[]) =>
      operation(of).parameters.filter(({ name }: { name: string }) => !others.includes(name));
    const search = filtersOf(SEARCH, ['offset', 'limit', 'if-none-match']);
    expect(search).toHaveLength(9);
    const [filters, newer] = [filtersOf(path, own).slice(0, 9), filtersOf(path, own).slice(9)];
    // The search of spec 4.2 cannot exclude types.
    const isType = ({ name }: { name: string }) => name === 'type';
    expect(filters.filter((each: { name: string }) => !isType(each))).toEqual(
      search.filter((each: { name: string }) => !isType(each)),
    );
    expect(search.find(isType)).toMatchObject({ schema: { pattern: LIST } });
    expect(filters.find(isType)).toMatchObject({ schema: { pattern: '^(IS|IS_ANY_OF|IS_NOT|IS_NONE_OF):.*$' } });
    expect(newer).toEqual([
      expect.objectContaining({ name: 'createdByName', schema: { type: 'string', pattern: LIST } }),
      expect.objectContaining({ name: 'since', schema: { type: 'string', format: 'date-time' } }),
      expect.objectContaining({ name: 'until', schema: { type: 'string', format: 'date-time' } }),
    ]);
  });

  test('has the path parameter and the request body', () => {
    expect(operation(FEATURE_EVENTS).parameters).toEqual([
      expect.objectContaining({ name: 'featureName', in: 'path', required: true, schema: { type: 'string' } }),
      expect.objectContaining({ name: 'if-none-match', in: 'header', required: false }),
    ]);
    for (const [path, status] of [
      [FEATURE_EVENTS, '304'],
      [SEARCH, '304'],
      [COUNTS, '304'],
    ] as const) {
      expect(operation(path).responses[status].headers).toHaveProperty('etag');
      expect(operation(path).responses['200'].headers).toHaveProperty('etag');
    }
    const { required, content } = operation(TOKENS, 'post').requestBody;
    expect(required).toBe(true);
    expect(Object.keys(content)).toEqual(['application/json']);
    expect(resolve(content['application/json'].schema)).toMatchObject({
      required: ['name', 'expiresAt'],
      additionalProperties: false,
      properties: { name: { type: 'string' }, expiresAt: { type: 'string', format: 'date-time' } },
    });
  });

  test('has the fields of the specification with their rules', () => {
    const list = schemaOf(FEATURE_EVENTS, 'get', 200);
    expect(list.required).toEqual(['events']);
    expect(list.properties.version).toMatchObject({ type: 'integer' });
    expect(list.properties.version.const ?? list.properties.version.enum).toEqual(list.properties.version.const ? 1 : [1]);
    const event = resolve(list.properties.events.items);
    expect([...event.required].sort()).toEqual(['createdAt', 'createdBy', 'id', 'type']);
    expect(event.properties.id).toMatchObject({ type: 'integer', minimum: 1 });
    expect(event.properties.type.examples).toEqual([...EVENT_TYPES]);
    expect(resolve(event.properties.tags.items)).toMatchObject({
      required: expect.arrayContaining(['value', 'type']),
      properties: { value: { minLength: 2, maxLength: 50 }, type: { minLength: 2, maxLength: 50 } },
    });
    expect([...schemaOf(SEARCH, 'get', 200).required].sort()).toEqual(['events', 'total']);
    expect([...schemaOf(TOKENS, 'post', 201).required].sort()).toEqual(
      ['createdAt', 'createdBy', 'enabled', 'expiresAt', 'name', 'role', 'secret', 'url'].sort(),
    );
  });

  test('has the headers of the responses as header objects', () => {
    for (const [headers, name] of [
      [operation(SEARCH).responses[200].headers, 'deprecation'],
      [operation(TOKENS, 'post').responses[201].headers, 'location'],
    ]) {
      expect(headers[name]).toEqual({ schema: { type: 'string' }, description: expect.stringMatching(/\S/) });
    }
  });

  test('names each schema, so that generated types have its name', () => {
    expect(Object.keys(committed.components.schemas).sort()).toEqual([
      'Error',
      'ErrorDetail',
      'Event',
      'EventCounts',
      'EventFeed',
      'EventSearchResult',
      'FeatureEvents',
      'PublicSignupToken',
      'PublicSignupTokenCreate',
      'Role',
      'Tag',
      'User',
    ]);
    for (const path of Object.values(committed.paths)) {
      for (const { requestBody, responses } of Object.values(path as Record<string, Operation>)) {
        const schemas = [requestBody, ...Object.values(responses)].flatMap(
          (message) => message?.content?.['application/json'] ?? [],
        );
        for (const { schema } of schemas) expect(resolve(schema)).toMatchObject({ type: 'object' });
      }
    }
  });

  test('describes each operation, parameter, response, schema and field', () => {
    const { paths, components } = committed;
    for (const operation of Object.values(paths).flatMap((path) => Object.values(path as object))) {
      const { summary, parameters = [], responses } = operation;
      for (const described of [operation, ...parameters, ...Object.values(responses)]) {
        expect(described).toHaveProperty('description', expect.stringMatching(/\S/));
      }
      expect(summary).toMatch(/\S/);
    }
    const fields = Object.entries(components.schemas).flatMap(([name, schema]) => [
      [name, schema as object] as const,
      ...Object.entries((schema as { properties: object }).properties).map(([field, of]) => [`${name}.${field}`, of] as const),
    ]);
    expect(fields.filter(([, schema]) => !('description' in schema || '$ref' in schema)).map(([name]) => name)).toEqual([]);
  });

  test('has every status with the names of its errors', () => {
    const errorsOf = (path: string, method: string) =>
      Object.fromEntries(
        Object.keys(operation(path, method).responses)
          .filter((status) => Number(status) >= 400)
          .map((status) => [status, operation(path, method).responses[status].description.split(' or ')]),
      );
    const always = {
      400: ['BadDataError'],
      401: ['AuthenticationRequired', 'UnauthorizedError'],
      408: ['RequestTimeoutError'],
      413: ['PayloadTooLargeError'],
      500: ['InternalError'],
      503: ['ServiceUnavailableError'],
    };
    expect(errorsOf(FEATURE_EVENTS, 'get')).toMatchObject(always);
    expect(errorsOf(SEARCH, 'get')).toMatchObject(always);
    expect(errorsOf(TOKENS, 'post')).toMatchObject({
      ...always,
      403: ['PermissionError', 'NotSupportedHereError'],
      415: ['ContentTypeError'],
    });
    expect(errorsOf(`${TOKENS}/{secret}`, 'get')).toMatchObject({ ...always, 403: ['PermissionError'], 404: ['NotFoundError'] });
  });

  describe('describes the responses of the gateway', () => {
    const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
    ajv.addSchema(closed(committed), 'openapi.json');
    const expectDescribed = (response: RawResponse, status: number, path: string, method = 'get') => {
      expect(response.status).toBe(status);
      const { $ref } = operation(path, method).responses[status].content['application/json'].schema;
      ajv.validate({ $ref: `openapi.json${$ref}` }, response.body);
      expect(ajv.errors ?? []).toEqual([]);
      const names: string[] = operation(path, method).responses[status].description.split(' or ');
      if (status >= 400) expect(names).toContain(response.body.name);
    };

    test('lists of events', async () => {
      for (const flag of ['bulk-flag', 'checkout-v2', 'no-such-flag']) {
        expectDescribed(await gateway.send(`/api/admin/events/${flag}`), 200, FEATURE_EVENTS);
      }
    });

    test('the whole log, except for a row with a shorter tag than the specification allows', async () => {
      for (const offset of [0, 1000]) {
        const response = await gateway.send(`${SEARCH}?limit=1000&offset=${offset}`);
        const events = response.body.events.filter(({ tags }: WireEvent) => tags.every(({ value }) => value.length > 1));
        expect(response.body.events.length - events.length).toBeLessThan(2);
        expectDescribed({ ...response, body: { ...response.body, events } }, 200, SEARCH);
      }
    });

    test('signup tokens, with users and without', async () => {
      const created = await gateway.postJson(TOKENS, valid);
      expectDescribed(created, 201, TOKENS, 'post');
      const signups = { create: { secret: created.body.secret } };
      await gateway.prisma.user.create({ data: { signups } });
      await gateway.prisma.user.create({
        data: {
          signups,
          name: 'a',
          username: 'b',
          email: 'c@example.com',
          imageUrl: 'd',
          seenAt: new Date(),
          scimId: 'e',
          permissions: ['f'],
        },
      });
      expectDescribed(await gateway.send(`${TOKENS}/${created.body.secret}`), 200, `${TOKENS}/{secret}`);
    });

    test('errors', async () => {
      const token = gateway.viewerToken;
      expectDescribed(await gateway.send('/api/admin/events/%00'), 400, FEATURE_EVENTS);
      expectDescribed(await gateway.send('/api/admin/events/%zz'), 400, FEATURE_EVENTS);
      expectDescribed(await gateway.send('/api/admin/events/x', { token: null }), 401, FEATURE_EVENTS);
      expectDescribed(await gateway.send(`${SEARCH}?limit=0`), 400, SEARCH);
      expectDescribed(await gateway.send(SEARCH, { token: 'unknown' }), 401, SEARCH);
      expectDescribed(await gateway.postJson(TOKENS, {}), 400, TOKENS, 'post');
      expectDescribed(await gateway.postJson(TOKENS, valid, { token: null }), 401, TOKENS, 'post');
      expectDescribed(await gateway.postJson(TOKENS, valid, { token }), 403, TOKENS, 'post');
      expectDescribed(await gateway.postJson(TOKENS, { ...valid, name: 'x'.repeat(110_000) }), 413, TOKENS, 'post');
      expectDescribed(
        await gateway.send(TOKENS, { method: 'POST', headers: { 'content-type': 'text/xml' }, body: '<a/>' }),
        415,
        TOKENS,
        'post',
      );
      expectDescribed(await gateway.send(`${TOKENS}/x`), 404, `${TOKENS}/{secret}`);
      expectDescribed(await gateway.send(`${TOKENS}/x`, { token }), 403, `${TOKENS}/{secret}`);
    });
  });
});

/** Returns the schema without additional fields. Tags keep them, because newer servers add fields to tags. */
function closed(schema: unknown): object {
  return JSON.parse(JSON.stringify(schema), (_, value) =>
    value?.type === 'object' && value.properties && !value.properties.value ? { ...value, additionalProperties: false } : value,
  ) as object;
}
