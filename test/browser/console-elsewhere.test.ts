import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { startHttpServer } from '../support/http-server.js';
import { startBrowser } from './browser.mjs';
import { type ConsolePage, openConsolePage } from './console-page.js';
import { type DemoGateway, startEmptyGateway } from './recorded-gateway.mjs';
import { type GatewayProxy, startProxy } from './start-proxy.js';

const REJECTED = 'Failed to load resource: the server responded with a status of 401 (Unauthorized)';
const SESSION = 's%3Asession.Signature';
const PREFIX = '/tools/flags';

/** The settings of a hardened gateway. Only listed documents run, and it has no IDE. */
const HARDENED = {
  GRAPHIQL: 'false',
  INTROSPECTION: 'false',
  TRUSTED_DOCUMENTS: 'require',
  TRUSTED_DOCUMENTS_FILES: 'test/typed-clients/generated/persisted-documents.json',
};

type HttpServer = Awaited<ReturnType<typeof startHttpServer>>;

let unleash: HttpServer;
let gateway: DemoGateway;
let proxy: GatewayProxy;
let browser: Browser;
let tab: ConsolePage;

beforeAll(async () => {
  unleash = await startHttpServer(({ headers }, response) => {
    const isKnown = headers.cookie?.includes(`unleash-session=${SESSION}`) ?? false;
    const user = { user: { id: 7, username: 'ada' }, permissions: [{ permission: 'ADMIN' }] };
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(isKnown ? user : {}));
  });
  gateway = await startEmptyGateway({ ...HARDENED, UNLEASH_URL: unleash.url });
  proxy = await startProxy(gateway.url, PREFIX);
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
  await proxy?.stop();
  await gateway?.stop();
  await unleash?.stop();
});

beforeEach(async () => {
  tab = await openConsolePage(browser, proxy.url);
});
afterEach(() => tab.close());

describe('a hardened gateway with an empty log, beside Unleash and below a path prefix', () => {
  it.each(['mouse', 'keyboard'] as const)(
    'without a session, by the %s → sign-in by a token, and how to fill the log',
    async (hand) => {
      await tab.open('/');
      const field = tab.page.getByLabel('API token');
      await field.waitFor();
      if (hand === 'mouse') await field.click();
      await tab.page.keyboard.type(gateway.token);
      await (hand === 'mouse' ? tab.page.getByRole('button', { name: 'Sign in' }).click() : tab.submit());
      await tab.page.getByRole('heading', { name: 'There are no events yet' }).waitFor();
      await tab.page.getByText('flag-admin-gateway import events.ndjson').waitFor();
      expect(await tab.page.getByRole('link', { name: 'GraphiQL' }).count()).toBe(0);
      if (hand === 'mouse') await tab.expectSound(REJECTED);
      else tab.expectQuiet(REJECTED);
    },
  );

  it('with a session of Unleash → no sign-in; an invite link and its event', async () => {
    await tab.page.context().addCookies([{ name: 'unleash-session', value: SESSION, url: new URL(proxy.url).origin }]);
    await tab.open('/');
    await tab.page.getByText('ada ADMIN, all projects').waitFor();
    await tab.page.getByRole('link', { name: 'Invite' }).click();
    await tab.page.getByLabel('Name, for display only').fill('Support');
    await tab.submit();
    await tab.page.getByText(`${unleash.url}/new-user?invite=`).waitFor();
    await tab.page.getByRole('link', { name: 'Events', exact: true }).click();
    await tab.total('1 event').waitFor();
    await tab.rows.first().click();
    await tab.page.locator('.detail-sentence', { hasText: 'ada created' }).waitFor();
    expect(new URL(tab.page.url()).pathname).toMatch(/^\/tools\/flags\/events\/\d+$/);
    await tab.page.reload();
    await tab.page.locator('.detail-sentence').waitFor();
    await tab.expectSound();
  });
});
