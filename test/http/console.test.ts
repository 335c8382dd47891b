import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CONSOLE_DOCUMENTS } from '../../src/console-documents.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const NAVIGATION = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

/** The size of the scripts of the first page, compressed with gzip. */
const MAX_SCRIPT_BYTES = 230_000;

describe('the pages of the console', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('empty', { GRAPHIQL: 'true' });
  });
  afterAll(() => gateway.stop());

  const open = (path: string) => gateway.send(path, { token: null, headers: NAVIGATION });

  /** Returns the URLs of the files that a page loads, as a browser resolves them. */
  const filesOf = async (path: string) => {
    const { text } = await open(path);
    return [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link = '']) => new URL(link, `${gateway.url}${path}`).href);
  };

  test.each([
    '/',
    '//',
    '/events/17',
    '/events/17/',
    '/flags/a%2Fb',
    '/projects/default',
    '/people/ada',
    '/invite',
    '/?flag=checkout',
  ])('%s → the page without a token, never from a cache without a check, with its files by relative URLs', async (path) => {
    const { status, headers, text } = await open(path);
    expect({ status, type: headers['content-type'], cache: headers['cache-control'] }).toEqual({
      status: 200,
      type: 'text/html; charset=utf-8',
      cache: 'no-cache',
    });
    expect(text).not.toMatch(/(src|href)="(\/|http)|%[A-Z]+%/);
    expect(await filesOf(path)).toEqual(await filesOf('/'));
  });

  test('its files → immutable, and the scripts have at most 230 kB together', async () => {
    const files = await filesOf('/');
    expect(files.map((file) => new URL(file).pathname.replace(/-[A-Z0-9]{8}\./, '-#.'))).toEqual([
      '/console/icon-#.svg',
      '/console/style-#.css',
      '/console/main-#.js',
    ]);
    let scriptBytes = 0;
    for (const file of files) {
      const response = await fetch(file, { headers: { 'accept-encoding': 'gzip' } });
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      if (!file.endsWith('.js')) continue;
      expect(response.headers.get('content-encoding')).toBe('gzip');
      scriptBytes += readCompressed(file).length;
      expect(gunzipSync(readCompressed(file)).toString()).toBe(await response.text());
    }
    expect(scriptBytes).toBeGreaterThan(10_000);
    expect(scriptBytes).toBeLessThanOrEqual(MAX_SCRIPT_BYTES);
  });

  test('its content security policy → only this server, no inline script or style, no text as HTML', async () => {
    const { headers } = await open('/');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none';script-src 'self';style-src 'self';connect-src 'self';img-src 'self' data:;base-uri 'none';" +
        "form-action 'none';frame-ancestors 'none';require-trusted-types-for 'script'",
    );
  });

  test('/graphql in a browser → the IDE', async () => {
    const { status, headers } = await open('/graphql');
    expect([status, headers.location]).toEqual([302, 'graphiql/']);
  });

  test.each(['/events', '/flags/a/b', '/console/none.js', '/unknown'])('%s → 404', async (path) => {
    expect((await open(path)).status).toBe(404);
  });
});

test('CONSOLE=false → no page, no file, and its documents are not known', async () => {
  const gateway = await startTestGateway('empty', { CONSOLE: 'false' });
  try {
    for (const path of ['/', '/events/17', '/console/none.js'])
      expect((await gateway.send(path, { token: null, headers: NAVIGATION })).status).toBe(404);
    const [id] = CONSOLE_DOCUMENTS.keys();
    expect((await gateway.postJson('/graphql', { documentId: id })).status).toBe(400);
  } finally {
    await gateway.stop();
  }
});

describe.each([
  ['off', {}],
  [
    'require',
    {
      INTROSPECTION: 'false',
      TRUSTED_DOCUMENTS: 'require',
      TRUSTED_DOCUMENTS_FILES: 'test/typed-clients/generated/persisted-documents.json',
    },
  ],
])('the documents of the console, TRUSTED_DOCUMENTS=%s', (mode, env) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('log', env);
  });
  afterAll(() => gateway.stop());

  const VARIABLES: Readonly<Record<string, object>> = {
    ConsoleEvents: { first: 2 },
    ConsoleHistogram: { interval: 'AUTO', timeZone: 'UTC' },
    ConsoleDays: { timeZone: 'UTC', filter: { since: '2026-01-01T00:00:00Z', until: '2026-03-01T00:00:00Z' } },
    ConsoleGroups: { by: 'TYPE', top: 5 },
    ConsoleEvent: { id: 1, ids: [1] },
    ConsoleBefore: { last: 2 },
    ConsoleFlagState: { flags: ['checkout'], types: ['FEATURE_CREATED'] },
    ConsoleInvite: { input: { name: 'Team', expiresAt: '2099-01-01T00:00:00Z' } },
    ConsoleInvitation: { secret: 'none' },
  };
  const named = [...CONSOLE_DOCUMENTS].map(([id, text]) => [/(?:query|mutation) (\w+)/.exec(text)?.[1] ?? '', id, text] as const);

  const readCursor = async (): Promise<string> => {
    const id = named.find(([name]) => name === 'ConsoleEvents')?.[1];
    const { body } = await gateway.postJson('/graphql', { documentId: id, variables: { first: 1 } });
    return body.data.events.edges[0].cursor;
  };

  test.each(named)('%s → runs by its id', async (name, id, text) => {
    const cursor = text.includes('$cursor') ? { cursor: await readCursor() } : {};
    const { status, body } = await gateway.postJson('/graphql', { documentId: id, variables: { ...VARIABLES[name], ...cursor } });
    expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
  });

  test('their text → only where other documents run, too', async () => {
    const text = named.find(([name]) => name === 'ConsoleViewer')?.[2] ?? '';
    expect((await gateway.graphql(text)).status).toBe(mode === 'require' ? 403 : 200);
  });
});

/** Reads the compressed copy of a built file. */
function readCompressed(url: string): Buffer {
  const name = new URL(url).pathname.split('/').at(-1);
  return readFileSync(new URL(`../../dist/web/console/assets/${name}.gz`, import.meta.url));
}
