import { expect, test } from '@jest/globals';
import { parseDatabaseUrl } from '../../src/database/database-url.js';
import { parseBaseUrl } from '../../src/formats/base-url.js';

test.each([
  [' https://a.example/ ', 'https://a.example'],
  ['HTTPS://A.example:443', 'https://a.example'],
  ['https://a.example/x//', 'https://a.example/x'],
  ['ftp://a.example', null],
  ['https://a.example?b', null],
])('base URL %j → %j', (text, url) => {
  expect(parseBaseUrl(text)).toBe(url);
});

test.each(['postgresql://localhost', 'postgresql://localhost:5432', 'postgresql://localhost/gateway'])(
  'database URL %s with blanks around it → without them',
  (url) => {
    expect(parseDatabaseUrl(` ${url} `)).toEqual({ url });
  },
);
