import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { parseConfig } from '../../src/config.js';
import { type Gateway, startGateway } from '../../src/gateway.js';
import { startBrowser } from '../browser/browser.mjs';
import { startHttpServer } from '../support/http-server.js';
import { createDatabase, createGrantedRole } from './databases.js';
import { fill } from './fill.js';
import { startNginx } from './nginx.js';
import {
  createInviteLink,
  exportLog,
  logIn,
  openLog,
  summarizeCsv,
  type User,
  type WireEvent,
  withoutExtras,
} from './unleash-pages.js';
import { inDays, startUnleash, type UnleashServer } from './unleash-server.js';

const ADMIN_ROLE = 1;
const VIEWER_ROLE = 3;
const CACHE_MS = 500;
const TOKENS = '/api/admin/invite-link/tokens';
const SEARCH = '/api/admin/search/events?limit=1';

const LOGS = ['/history', '/projects/default/logs', '/projects/default/features/checkout-1/logs'];

describe.each(['6.10.1', '8.2.0'])('Unleash %s, whose UI gets three paths from the gateway', (version) => {
  let unleash: UnleashServer;
  let gateway: Gateway;
  const log: string[] = [];
  let proxy: Awaited<ReturnType<typeof startNginx>>;
  let browser: Browser;
  let admin: User;
  let viewer: User;
  let directPage: Page;
  let proxiedPage: Page;

  beforeAll(async () => {
    const name = `ui_${version.replaceAll('.', '_')}`;
    const ownerUrl = await createDatabase(name);
    unleash = await startUnleash(version, ownerUrl);
    await fill(unleash);
    admin = await unleash.createUser('chief@example.com', ADMIN_ROLE);
    viewer = await unleash.createUser('reader@example.com', VIEWER_ROLE);
    const env = {
      PORT: '0',
      GRAPHIQL: 'false',
      DATABASE_URL: await createGrantedRole(ownerUrl, `${name}_gateway`, 'all'),
      DATABASE_SCHEMA: 'unleash',
      UNLEASH_URL: unleash.url,
      UNLEASH_TOKEN_CACHE_MS: String(CACHE_MS),
      TRUSTED_PROXIES: '127.0.0.1',
    };
    gateway = await startGateway(parseConfig(env), { logDestination: { write: (line) => void log.push(line) } });
    proxy = await startNginx(unleash.url, gateway.url);
    // The hosts are not trustworthy for a browser, unlike 127.0.0.1, so it sends no `Sec-Fetch-Site` to them.
    browser = await startBrowser(['--host-resolver-rules=MAP *.flags.test 127.0.0.1,MAP flags.test 127.0.0.1']);
    directPage = await logIn(browser, unleash.url, admin);
    proxiedPage = await logIn(browser, proxy.url, admin);
  });
  afterAll(async () => {
    await browser?.close();
    await proxy?.stop();
    await gateway?.stop();
    await unleash?.stop();
  });

  const countTokens = async () => (await unleash.call('GET', TOKENS)).body.tokens.length;

  test.each(LOGS)('%s → the same events and the same text, from the gateway', async (path) => {
    const direct = await openLog(directPage, unleash.url + path);
    const proxied = await openLog(proxiedPage, proxy.url + path);
    expect(proxied).toEqual({ ...direct, isFromGateway: true });
    expect(direct.isFromGateway).toBe(false);
    expect(proxied.total).toBeGreaterThan(5);
    expect(proxied.shown).toContain(String(proxied.events[0]?.id));
  });

  test('the log of a project, exported → the same events and columns', async () => {
    await openLog(directPage, `${unleash.url}/projects/default/logs`);
    await openLog(proxiedPage, `${proxy.url}/projects/default/logs`);
    const [direct, proxied] = [await exportLog(directPage, 'JSON'), await exportLog(proxiedPage, 'JSON')];
    const events = JSON.parse(proxied.text) as WireEvent[];
    expect(events.length).toBeGreaterThan(5);
    expect({ name: proxied.name, events }).toEqual({ name: direct.name, events: withoutExtras(JSON.parse(direct.text)) });

    const [directCsv, proxiedCsv] = [await exportLog(directPage, 'CSV'), await exportLog(proxiedPage, 'CSV')];
    expect(proxiedCsv.name).toBe(directCsv.name);
    expect(summarizeCsv(proxiedCsv.text)).toEqual(summarizeCsv(directCsv.text));
  });

  test('"Create invite link" → the same dialog and pages, and a link through which a user joins', async () => {
    const direct = await createInviteLink(directPage, unleash.url);
    await unleash.call('PUT', `${TOKENS}/${direct.secret}`, { enabled: false });
    const proxied = await createInviteLink(proxiedPage, proxy.url);
    expect([direct.isFromGateway, proxied.isFromGateway]).toEqual([false, true]);
    expect(proxied.content).toEqual(direct.content);
    expect(proxied.content).toMatchObject({
      status: 201,
      isForTheRequestedTime: true,
      token: { createdBy: 'chief@example.com' },
    });

    await unleash.signUp(proxied.secret, `joined-${version}@example.com`);
    const { events } = await openLog(proxiedPage, `${proxy.url}/history`);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'public-signup-token-created', createdBy: 'chief@example.com' }),
    );
    expect(events[0]).toMatchObject({ type: 'public-signup-token-user-added' });
  });

  test('a link with another name → listed and ended by the API of Unleash', async () => {
    const isValid = async (secret: string) => (await fetch(`${unleash.url}/invite/${secret}/validate`)).ok;
    const response = await fetch(gateway.url + TOKENS, {
      method: 'POST',
      headers: { authorization: unleash.adminToken, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'for contractors', expiresAt: inDays(7) }),
    });
    const { secret } = (await response.json()) as { secret: string };
    const { body } = await unleash.call('GET', TOKENS);
    expect(body.tokens).toContainEqual(expect.objectContaining({ secret, name: 'for contractors', enabled: true }));
    expect(await isValid(secret)).toBe(true);
    await unleash.call('PUT', `${TOKENS}/${secret}`, { enabled: false });
    expect(await isValid(secret)).toBe(false);
  });

  test('a viewer → sees no more than in Unleash, and may not create', async () => {
    const [direct, proxied] = [await logIn(browser, unleash.url, viewer), await logIn(browser, proxy.url, viewer)];
    const readAll = (page: Page) =>
      page.evaluate(async () => {
        const response = await fetch('/api/admin/search/events?limit=1000');
        return (await response.json()) as { events: WireEvent[]; total: number };
      });
    const [fromUnleash, fromGateway] = [await readAll(direct), await readAll(proxied)];
    expect(fromGateway).toEqual({ ...fromUnleash, events: withoutExtras(fromUnleash.events) });
    expect(fromGateway.total).toBeLessThan((await readAll(proxiedPage)).total);
    for (const path of LOGS.slice(1)) {
      const [left, right] = [await openLog(direct, unleash.url + path), await openLog(proxied, proxy.url + path)];
      expect(right).toEqual({ ...left, isFromGateway: true });
    }
    const before = await countTokens();
    expect([await post(direct, TOKENS), await post(proxied, TOKENS)]).toEqual([403, 403]);
    expect(await countTokens()).toBe(before);
    await direct.context().close();
    await proxied.context().close();
  });

  test('logged out → 401 within the time of the cache', async () => {
    const page = await logIn(browser, proxy.url, viewer);
    const cookies = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    const read = async () => (await fetch(gateway.url + SEARCH, { headers: { cookie: cookies } })).status;
    expect(await read()).toBe(200);
    await page.evaluate(() => fetch('/logout', { method: 'POST' }));
    let last = await read();
    for (const deadline = Date.now() + CACHE_MS + 2_000; last === 200 && Date.now() < deadline; ) last = await read();
    expect(last).toBe(401);
    await page.context().close();
  });

  test.each([
    ['of another port of the host', '127.0.0.1', '127.0.0.1'],
    ['of a sibling host, over plain HTTP', 'flags.test', 'evil.flags.test'],
  ])(
    'an administrator visits a page %s → it creates nothing and reads nothing, although the cookie is sent',
    async (_, host, other) => {
      const base = `http://${host}:${proxy.port}`;
      const evil = await startHttpServer((_request, response) => {
        const form = `<form method="post" enctype="text/plain" action="${base + TOKENS}"><input name="a"><button>Win</button></form>`;
        response.setHeader('content-type', 'text/html').end(form);
      });
      const page = await logIn(browser, base, admin);
      try {
        expect(await post(page, TOKENS)).toBe(201);
        const before = await countTokens();
        await page.goto(`http://${other}:${new URL(evil.url).port}/`);
        log.length = 0;
        const outcomes = await page.evaluate(
          async ([tokens = '', events = '']) => {
            const outcome = (url: string, options: object) =>
              fetch(url, { credentials: 'include', ...options }).catch(() => 'failed');
            const headers = { 'content-type': 'application/json' };
            return [
              await outcome(tokens, { method: 'POST', mode: 'no-cors', body: '{}' }),
              await outcome(tokens, { method: 'POST', headers, body: '{}' }),
              await outcome(events, {}),
            ];
          },
          [base + TOKENS, `${base}/api/admin/events/checkout-1`],
        );
        expect(outcomes).toEqual(['failed', 'failed', 'failed']);
        await page.getByRole('button').click();
        await page.waitForURL(base + TOKENS);
        // The page of Unleash that was left may still search.
        const requests = log
          .map((line) => JSON.parse(line))
          .filter(({ msg, route }) => msg === 'request' && route !== '/api/admin/search/events');
        // Without the cookie, the status would be 401. Playwright allows the preflight of the second request, because this test intercepts
        // requests to other hosts.
        expect(requests.map(({ method, status }) => [method, status])).toEqual([
          ['POST', 403],
          ['POST', 403],
          ['GET', 403],
          ['POST', 403],
        ]);
        expect(await countTokens()).toBe(before);
      } finally {
        await page.context().close();
        await evil.stop();
      }
    },
  );
});

/** Creates an invitation from the page, as its own scripts do. @returns the status */
function post(page: Page, path: string): Promise<number> {
  return page.evaluate(
    async ([url = '', body = '']) => {
      const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      return response.status;
    },
    [path, JSON.stringify({ name: 'from the page', expiresAt: inDays(7) })],
  );
}
