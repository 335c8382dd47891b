import fc from 'fast-check';
import { inOtherEncodings } from './random-encoding.js';
import { jsonLike, oddJson, oddText, throughUtf8 } from './random-text.js';
import type { RawRequest } from './send-raw.js';

/** A request to the gateway. `token` names a token of the gateway, or is sent literally. */
export interface RandomRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
  readonly token: 'admin' | 'viewer' | null | { readonly literal: string };
}

/** Paths as Node's client can send them: one byte for each character, without blanks and control characters. */
const pathBytes = fc.string({
  unit: fc.integer({ min: 0x21, max: 0xff }).map((byte) => String.fromCharCode(byte)),
  maxLength: 12,
});
const percentBytes = fc
  .array(fc.nat({ max: 255 }), { maxLength: 6 })
  .map((bytes) => bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));
const wellEncoded = oddText.map((text) => encodeURIComponent(throughUtf8(text)));
const pathPiece = fc.oneof(
  wellEncoded,
  percentBytes,
  pathBytes,
  fc.constantFrom(
    '%',
    '%2',
    '%zz',
    '%E0%A4%A',
    '%ed%a0%80',
    '%00',
    '.',
    '..',
    '%2e%2e',
    '%2F',
    '/',
    '//',
    ';a=1',
    '#',
    '?',
    '*',
    '%C0%AF',
    'a'.repeat(9000),
  ),
);

const knownPath = fc.constantFrom(
  ...[
    '/api/admin/events/',
    '/api/admin/events',
    '/api/admin/search/events',
    '/api/admin/search/events/',
    '/v1/events/counts',
    '/api/admin/invite-link/tokens',
    '/mcp',
  ],
  ...[
    '/api/admin/invite-link/tokens/',
    '/api/admin/',
    '/api',
    '/API/admin/search/events',
    '//api/admin/search/events',
    '/graphql',
    '/graphql/',
  ],
  ...[
    '/livez',
    '/readyz',
    '/openapi.json',
    '/graphiql/',
    '/events/1',
    '/console/',
    '/metrics',
    '/',
    '',
    '*',
    'http://localhost/api/admin/search/events',
    '/favicon.ico',
  ],
);
const anyPath = fc.oneof(
  { weight: 4, arbitrary: pathPiece.map((name) => `/api/admin/events/${name}`) },
  { weight: 2, arbitrary: pathPiece.map((name) => `/api/admin/invite-link/tokens/${name}`) },
  { weight: 2, arbitrary: knownPath },
  { weight: 2, arbitrary: fc.tuple(knownPath, pathPiece, pathPiece).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: pathBytes.map((bytes) => `/${bytes}`) },
);

const parameterName = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom(
      'query',
      'feature',
      'project',
      'type',
      'createdBy',
      'environment',
      'id',
      'from',
      'to',
      'since',
      'until',
      'createdByName',
      'by',
      'interval',
      'timeZone',
      'top',
      'offset',
      'limit',
      'after',
      'up-to',
      'format',
      'formulas',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      'a[]',
      'feature[]',
      'feature[x]',
      'Feature',
      'groupId',
      '__proto__',
      'constructor',
      'variables',
      'extensions',
      'operationName',
    ),
  },
  { weight: 1, arbitrary: pathPiece },
);
const parameterValue = fc.oneof(
  { weight: 3, arbitrary: wellEncoded },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom('IS:', 'IS_ANY_OF:', 'IS', 'is:'), fc.oneof(wellEncoded, pathPiece))
      .map((parts) => parts.join('')),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'IS:2024-02-29',
      'IS:2023-02-29',
      'IS:0000-01-01',
      'IS:9999-12-31',
      '0',
      '1',
      '5',
      '1000',
      '1001',
      '2147483648',
      '-1',
      'start',
      'now',
      'MSwsLDAs',
      'csv',
      'keep',
    ),
  },
  { weight: 1, arbitrary: pathPiece },
);
const parameter = fc
  .tuple(parameterName, fc.constantFrom('=', '=', '=', '', '=='), parameterValue)
  .map((parts) => parts.join(''));
export const queryString = fc
  .tuple(fc.array(parameter, { maxLength: 6 }), fc.constantFrom('&', '&', '&', ';', '&&'))
  .map(([parameters, separator]) => `?${parameters.join(separator)}`);

const latin1 = fc.string({
  unit: fc
    .oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff }))
    .map((byte) => String.fromCharCode(byte)),
});
const headerValues: Readonly<Record<string, readonly string[]>> = {
  accept: [
    '*/*',
    'text/html',
    'application/graphql-response+json',
    'application/json;q=0',
    'multipart/mixed;deferSpec=20220824',
    'x/y',
    ';;,,',
  ],
  'content-type': [
    'application/json',
    'application/json; charset=utf-16',
    'text/plain',
    'application/graphql',
    'multipart/form-data',
    'a',
    'application/json,x',
  ],
  'content-encoding': ['gzip', 'br', 'identity'],
  'accept-encoding': ['gzip', '*;q=0'],
  connection: ['close', 'upgrade', 'keep-alive, x'],
  upgrade: ['websocket', 'h2c'],
  range: ['bytes=0-1', 'bytes=9-1'],
  'if-none-match': ['*', '"x"'],
  origin: ['null', 'https://example.com'],
  host: ['', 'a b', 'localhost:99999', '[::1'],
  cookie: ['a=b; __proto__=c'],
  'x-http-method-override': ['DELETE'],
  'x-forwarded-for': ['127.0.0.1, ::1', '%'],
  'x-request-id': ['../../x', 'a'.repeat(2000)],
  'idempotency-key': ['', 'k', 'a'.repeat(600)],
  'apollo-require-preflight': ['true'],
  'accept-version': ['1.x', '999'],
  expect: ['100-continue', 'x'],
};
const header = fc.oneof(
  {
    weight: 80,
    arbitrary: fc
      .constantFrom(...Object.entries(headerValues))
      .chain(([name, values]) => fc.tuple(fc.constant(name), fc.constantFrom(...values))),
  },
  {
    weight: 20,
    arbitrary: fc.tuple(fc.constantFrom('x-odd', 'content-type', 'accept', 'constructor', 'cookie', 'origin'), latin1),
  },
  { weight: 1, arbitrary: fc.constant(['x-long', 'x'.repeat(20_000)] as const) },
);
export const headers = fc.array(header, { maxLength: 3 }).map((entries) => Object.fromEntries(entries) as Record<string, string>);

/** Whether Node's parser accepts the request. Node rejects other requests before reading them, and closes the connection. */
export const isHttp = ({ path, headers }: RandomRequest): boolean =>
  /^(?:(?:\/|\*|http:)[\x21-\x7e]*)?$/.test(path) && !('x-long' in headers);

/** Fills in the token of a request. */
export function toRawRequest(
  { method, headers, body, token }: RandomRequest,
  tokens: Readonly<Record<'admin' | 'viewer', string>>,
): RawRequest {
  const secret = token === null ? null : typeof token === 'string' ? tokens[token] : token.literal;
  if (body === undefined) return { method, headers, token: secret };
  // Node's client sends the body of a GET without its length, so that the server would read it as the next request.
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  return { method, headers: { ...headers, ...length }, token: secret, body };
}

export const token = fc.oneof(
  { weight: 8, arbitrary: fc.constant('admin' as const) },
  { weight: 1, arbitrary: fc.constant('viewer' as const) },
  { weight: 1, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.oneof(latin1, fc.constantFrom('Bearer', 'Bearer ', 'Basic YTpi', '*:*.x')).map((literal) => ({ literal })),
  },
);

const tokenBody = fc
  .record(
    {
      name: fc.oneof(oddText, oddJson),
      expiresAt: fc.oneof(fc.constant('2030-01-01T00:00:00Z'), oddText, oddJson),
      more: oddJson,
    },
    { requiredKeys: ['name'] },
  )
  .map((body) => JSON.stringify(body));
const goodTokenBody = oddText.map((name) => JSON.stringify({ name, expiresAt: '2030-01-01T00:00:00Z' }));
const anyBody = fc.oneof(
  { weight: 40, arbitrary: fc.option(jsonLike, { nil: undefined }) },
  { weight: 20, arbitrary: tokenBody },
  { weight: 10, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: fc.constant(`{"name":"${'x'.repeat(102_400)}"}`) },
);

const method = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('GET', 'POST') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'HEAD',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'TRACE',
      'PROPFIND',
      'M-SEARCH',
      'PURGE',
      'QUERY',
      'BREW',
    ),
  },
);

const anything = fc.record({
  method,
  path: fc.tuple(anyPath, fc.oneof(fc.constant(''), queryString)).map((parts) => parts.join('')),
  headers,
  body: anyBody,
  token,
});
const search = fc.record({
  method: fc.constant('GET'),
  path: fc
    .tuple(fc.constantFrom('/api/admin/search/events', '/v1/events/counts', '/v1/events/feed', '/v1/events/export'), queryString)
    .map(([path, query]) => `${path}${query}`),
  headers: fc.constant({}),
  token: fc.constant('admin' as const),
});
const creation = fc.record({
  method: fc.constant('POST'),
  path: fc.constant('/api/admin/invite-link/tokens'),
  headers: headers.map((odd) => ({ 'content-type': 'application/json', ...odd })),
  body: fc.oneof(tokenBody, goodTokenBody, jsonLike),
  token,
});

const toolArgument = fc.constantFrom(
  'flag',
  'features',
  'types',
  'ids',
  'query',
  'searchIn',
  'since',
  'until',
  'from',
  'limit',
  'cursor',
);
const toolCall = fc.record({
  name: fc.constantFrom('get_flag_history', 'search_events', 'get_changes_between', 'constructor'),
  arguments: fc.dictionary(
    toolArgument,
    fc.oneof(oddText, oddJson, fc.array(oddText, { maxLength: 3 }), fc.constant('2024-02-29T00:00:00Z')),
  ),
});
const message = fc.record({
  method: fc.constant('POST'),
  path: fc.constant('/mcp'),
  headers: headers.map((odd) => ({ 'content-type': 'application/json', ...odd })),
  body: fc
    .record({
      jsonrpc: fc.constant('2.0'),
      id: fc.oneof(fc.integer(), oddJson),
      method: fc.constantFrom('tools/call', 'tools/call', 'tools/list', 'initialize', 'ping', 'constructor'),
      params: fc.oneof({ weight: 4, arbitrary: toolCall }, { weight: 1, arbitrary: oddJson }),
    })
    .map((body) => JSON.stringify(body)),
  token,
});

/** Requests to the REST paths and to other paths. Most of them are odd in some way. */
export const restRequest: fc.Arbitrary<RandomRequest> = fc.oneof(
  { weight: 8, arbitrary: anything },
  { weight: 4, arbitrary: search },
  { weight: 2, arbitrary: creation },
  { weight: 1, arbitrary: message },
  { weight: 1, arbitrary: inOtherEncodings(creation) },
);
