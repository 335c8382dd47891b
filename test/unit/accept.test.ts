import { describe, expect, test } from '@jest/globals';
import { chooseStreamFormat } from '../../src/graphql-streams/stream-format.js';
import { parseAccept } from '../../src/http/accept.js';
import { chooseFeedFormat } from '../../src/rest/feed-format.js';

const SSE = 'text/event-stream';
const MULTIPART = 'multipart/mixed;subscriptionSpec=1.0';

test.each<[string | undefined, [range: string, quality: number][]]>([
  [undefined, [['*/*', 1]]],
  [' ', [['*/*', 1]]],
  ['Text/HTML', [['text/html', 1]]],
  [
    'a/b;q=0.2, c/d',
    [
      ['c/d', 1],
      ['a/b', 0.2],
    ],
  ],
  [
    'a/b;q=0.5, c/d;q=0.5',
    [
      ['a/b', 0.5],
      ['c/d', 0.5],
    ],
  ],
  [
    'a/b;q=7, c/d;q=-1, e/f;q=x, g/h;q=',
    [
      ['a/b', 1],
      ['c/d', 0],
      ['e/f', 0],
      ['g/h', 0],
    ],
  ],
])('accept: %s → its ranges, best first, with a quality from 0 to 1', (accept, expected) => {
  expect(parseAccept(accept).map(({ range, quality }) => [range, quality])).toEqual(expected);
});

test('more ranges than are read → the others do not count', () => {
  expect(parseAccept(`${'a/b,'.repeat(50)}c/d`).map(({ range }) => range)).toEqual(Array.from({ length: 50 }, () => 'a/b'));
});

describe('the format of the feed', () => {
  test.each([
    [undefined, null],
    ['*/*', null],
    ['text/*', 'SSE'],
    ['text/event-stream;q=0.5, application/x-ndjson', 'NDJSON'],
    ['application/json;q=0, */*', 'NDJSON'],
    ['application/json;q=0, text/event-stream;q=0, application/*', 'NDJSON'],
  ])('accept: %s → %s', (accept, name) => {
    expect(chooseFeedFormat(accept)?.name ?? null).toBe(name);
  });

  test.each(['text/html', 'application/json;q=0', '*/*;q=0'])('accept: %s → none is acceptable', (accept) => {
    expect(() => chooseFeedFormat(accept)).toThrow(expect.objectContaining({ name: 'NotAcceptableError' }));
  });
});

describe('the format of a subscription', () => {
  test.each([
    [undefined, null],
    ['*/*', null],
    [SSE, 'text/event-stream'],
    [`application/json, ${SSE}`, null],
    [`application/json;q=0.9, ${SSE}`, 'text/event-stream'],
    [`${SSE};q=0`, null],
    [`${MULTIPART}, application/json`, 'multipart/mixed'],
    ['multipart/mixed;subscriptionSpec="1.0"', 'multipart/mixed'],
    ['multipart/mixed, application/json', null],
  ])('accept: %s → %s', (accept, type) => {
    expect(chooseStreamFormat(accept)?.contentType.split(';')[0] ?? null).toBe(type);
  });
});
