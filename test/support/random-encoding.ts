import { deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { RandomRequest } from './random-request.js';

const toUtf16Be = (text: string) => Buffer.from(text, 'utf16le').swap16();

/** Ways to send a text as bytes. */
const ENCODINGS: readonly ((text: string) => Buffer)[] = [
  (text) => Buffer.from(text, 'utf16le'),
  toUtf16Be,
  (text) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]),
  (text) => Buffer.from(text, 'latin1'),
  (text) => Buffer.from(`\ufeff${text}`),
  (text) => Buffer.from(text.replaceAll('{', '\\u007b')),
  gzipSync,
  deflateSync,
];

/** Bytes that are not UTF-8: a lone continuation, an overlong form, half of a surrogate pair, a cut sequence. */
const NOT_UTF_8 = [[0x80], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf0, 0x9f], [0xff]].map((bytes) => Buffer.from(bytes));

const CONTENT_TYPES = [
  ...['application/json', 'application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'application/json; charset='],
  ...['application/json; charset=utf-16le', 'application/json; charset=iso-8859-1', 'application/json; charset=utf-7'],
  ...['application/graphql+json; charset=utf-8', 'application/x-www-form-urlencoded'],
];

const encode = fc.oneof(
  fc.constantFrom(...ENCODINGS),
  fc.tuple(fc.constantFrom(...NOT_UTF_8), fc.nat()).map(([bytes, at]) => (text: string) => {
    const whole = Buffer.from(text);
    const cut = at % (whole.length + 1);
    return Buffer.concat([whole.subarray(0, cut), bytes, whole.subarray(cut)]);
  }),
);

/** The same requests, with the body in another encoding, or with a content type or a compression that may not be true. */
export const inOtherEncodings = (requests: fc.Arbitrary<RandomRequest>): fc.Arbitrary<RandomRequest> =>
  fc
    .tuple(
      requests,
      encode,
      fc.constantFrom(...CONTENT_TYPES),
      fc.constantFrom<Record<string, string>>({}, {}, { 'content-encoding': 'gzip' }, { 'content-encoding': 'deflate' }),
    )
    .map(([request, toBytes, type, more]) => {
      const { body, headers } = request;
      if (typeof body !== 'string') return request;
      return { ...request, body: toBytes(body), headers: { ...headers, 'content-type': type, ...more } };
    });
