import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectError } from '../support/expect-error.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const TOKENS = '/api/admin/invite-link/tokens';
const TOKEN = JSON.stringify({ name: 'Invite', expiresAt: '2099-01-01T00:00:00Z' });
const QUERY = JSON.stringify({ query: '{ __typename }' });
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const post = (path: string, body: string | Buffer, headers: Readonly<Record<string, string>> = {}) =>
  gateway.send(path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
/** GraphQL puts the error of spec 2.7 into the extensions. */
const nameOf = ({ body }: { readonly body: { name?: string; errors?: { extensions: { name: string } }[] } }) =>
  body.name ?? body.errors?.[0]?.extensions.name;

describe.each([
  [TOKENS, TOKEN, 201],
  ['/graphql', QUERY, 200],
])('POST %s', (path, body, status) => {
  test.each(['utf-8', 'UTF-8', '"utf-8"', 'utf8'])('the charset %s → accepted', async (charset) => {
    expect((await post(path, body, { 'content-type': `application/json; charset=${charset}` })).status).toBe(status);
  });

  test.each<[string, string | Buffer, Record<string, string>]>([
    ['UTF-16', Buffer.from(body, 'utf16le'), { 'content-type': 'application/json; charset=utf-16le' }],
    [
      'UTF-16 that is named ISO 8859-1',
      Buffer.from(body, 'utf16le'),
      { 'content-type': 'application/json;charset="iso-8859-1"' },
    ],
    ['gzip', gzipSync(body), { 'content-encoding': 'gzip' }],
    ['an unknown encoding', body, { 'content-encoding': 'zstd' }],
  ])('a body in %s → 415', async (_, sent, headers) => {
    const response = await post(path, sent, headers);
    expect([response.status, nameOf(response)]).toEqual([415, 'ContentTypeError']);
  });

  test('a body that is not UTF-8 → 400', async () => {
    const response = await post(path, Buffer.concat([Buffer.from(body.slice(0, -2)), Buffer.from([0xff]), Buffer.from('"}')]));
    expect([response.status, nameOf(response)]).toEqual([400, 'BadDataError']);
  });

  test.each(['variables', 'extensions', 'name'])('JSON nested 4,000 deep in %s → 400', async (name) => {
    const response = await post(path, `${body.slice(0, -1)},"${name}":{"a":${nested(4_000)}}}`);
    expect([response.status, nameOf(response)]).toEqual([400, 'BadDataError']);
  });
});

test.each(['variables', 'extensions'])('GET /graphql with JSON nested deep in %s → 400', async (name) => {
  const parameters = new URLSearchParams({ query: '{ __typename }', [name]: `{"a":${nested(2_000)}}` });
  const response = await gateway.send(`/graphql?${parameters}`);
  expect([response.status, nameOf(response)]).toEqual([400, 'BadDataError']);
});

test.each([
  ['behind a wrong escape', (document: string) => `query=${encodeURIComponent(document)}%zz`],
  ['in a parameter given twice', (document: string) => `query=${encodeURIComponent(document)}&query=x`],
  ['under an escaped name', (document: string) => `%71uery=${encodeURIComponent(document)}`],
])('GET /graphql with a document nested deep %s → 400', async (_, toParameters) => {
  const response = await gateway.send(`/graphql?${toParameters('{a'.repeat(1_000))}`);
  expect([response.status, response.body.errors.length]).toEqual([400, 1]);
});

test('a form, a batch, and no content-type → 4xx', async () => {
  for (const [body, type] of [
    [`query=${'{a'.repeat(2_000)}`, 'application/x-www-form-urlencoded'],
    [JSON.stringify([{ query: '{a'.repeat(2_000) }]), 'application/json'],
    [`{"\\u0071uery":"${'{a'.repeat(2_000)}"}`, 'application/json'],
  ] as const) {
    const { status } = await post('/graphql', body, { 'content-type': type });
    expect([status >= 400, status < 500]).toEqual([true, true]);
  }
});

describe('requests that Node would answer without a body', () => {
  const sendText = async (request: string) => {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(request);
    const received = await text(socket);
    const [head = '', body = ''] = received.split('\r\n\r\n');
    const type = /^content-type: (.*)$/m.exec(head)?.[1];
    return { status: Number(head.split(' ')[1]), headers: { 'content-type': type }, text: body, body: JSON.parse(body) };
  };

  test('no host header → 400 with the error body', async () => {
    expectError(await sendText('GET /livez HTTP/1.1\r\nconnection: close\r\n\r\n'), 400, 'BadDataError');
  });

  test('CONNECT → 400 with the error body', async () => {
    expectError(await sendText('CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n'), 400, 'BadDataError');
  });
});
