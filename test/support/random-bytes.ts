import fc from 'fast-check';

const line = fc.constantFrom(
  ...[
    'GET / HTTP/1.1',
    'GET /livez HTTP/1.1',
    'POST /graphql HTTP/1.1',
    'GET /\u0001 HTTP/1.1',
    'GET / HTTP/9.9',
    'get /livez HTTP/1.1',
    'PRI * HTTP/2.0',
    'CONNECT localhost:1 HTTP/1.1',
    'GET /livez HTTP/1.0',
    'HEAD /api/admin/search/events HTTP/1.1',
  ],
  ...[
    'host: x',
    'content-length: 5',
    'content-length: 5',
    'content-length: -1',
    'transfer-encoding: chunked',
    'transfer-encoding: x',
    'expect: x',
  ],
  ...[': x', 'a b: c', 'x', '', '', '5', 'hello', '0', 'zz', '\0', `x-long: ${'x'.repeat(20_000)}`],
);
const lines = fc.array(line, { minLength: 1, maxLength: 8 }).map((all) => Buffer.from(`${all.join('\r\n')}\r\n\r\n`, 'latin1'));
const bytes = fc.uint8Array({ minLength: 1, maxLength: 80 }).map((array) => Buffer.from(array));

/** Bytes that are hardly HTTP. */
export const randomBytes: fc.Arbitrary<Buffer> = fc.oneof(lines, lines, bytes);
