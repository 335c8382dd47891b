import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from './browser.mjs';
import { type RecordedGateway, startRecordedGateway } from './recorded-gateway.mjs';
import { graphqlRequests, type PageWatch, watchPage } from './watch-page.js';

const REJECTED = 'Failed to load resource: the server responded with a status of 401 (Unauthorized)';

let gateway: RecordedGateway;
let browser: Browser;
let page: Page;
let watch: PageWatch;

beforeAll(async () => {
  gateway = await startRecordedGateway();
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

beforeEach(async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
  page.setDefaultTimeout(60_000);
  watch = await watchPage(page);
});

afterEach(async () => {
  await page.context().close();
});

const tokenField = () => page.getByLabel('API token');
const status = (text: string) => page.getByRole('status').getByText(text);
const runButton = () => page.getByRole('button', { name: 'Execute query' });
const result = (text: string) => page.locator('.graphiql-response').getByText(text);
const editor = () => page.getByRole('region', { name: 'Operation Editor' }).locator('.monaco-editor');

async function open(path = '/graphiql') {
  await page.goto(gateway.url + path);
  await editor().waitFor();
}

/** Adds an event to the log. */
async function createInvitation() {
  const response = await fetch(`${gateway.url}/api/admin/invite-link/tokens`, {
    method: 'POST',
    headers: { authorization: gateway.token, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'seen live', expiresAt: '2099-01-01T00:00:00Z' }),
  });
  expect(response.status).toBe(201);
}

async function enterToken(token: string) {
  await tokenField().fill(token);
  await tokenField().press('Enter');
}

describe('GraphiQL without a token', () => {
  it.each(['/graphiql', '/graphiql/', '/graphql'])(
    '%s → opens the examples in tabs and explains how to get a token',
    async (path) => {
      await open(path);

      for (const name of ['NewestEvents', 'FlagHistory', 'SearchEvents', 'LiveEvents', 'CreateInviteLink']) {
        await page.getByRole('tab', { name }).waitFor();
      }
      await status('No token yet').waitFor();
      await page.getByText('token create --name me --role VIEWER').waitFor();
      expect(watch.errors).toEqual([]);
    },
  );

  it('running a query → no GraphQL request', async () => {
    await open();
    await runButton().click();

    await result('Nothing was sent').waitFor();
    expect(await graphqlRequests(watch)).toEqual([]);
  });
});

describe('GraphiQL with a valid token', () => {
  it('running a query → its events', async () => {
    await open();
    await enterToken(gateway.token);
    await status('Token accepted').waitFor();
    await runButton().click();

    await result(`"totalCount": ${gateway.eventCount},`).waitFor();
    await result('"FEATURE_CREATED"').first().waitFor();
    expect(watch.errors).toEqual([]);
  });

  it('a subscription → its results live, until it is stopped', async () => {
    await open();
    await enterToken(gateway.token);
    await status('Token accepted: ').waitFor();
    await page.getByRole('tab', { name: 'LiveEvents' }).click();
    await runButton().click();

    await result('"upToDate": true').waitFor();
    await createInvitation();
    await result('"PUBLIC_SIGNUP_TOKEN_CREATED"').waitFor();
    await page.getByRole('button', { name: 'Stop query' }).click();
    await runButton().waitFor();
    expect(watch.errors).toEqual([]);
  });

  it('entering the token → documentation, completion and validation without a reload', async () => {
    await open();
    await enterToken(gateway.token);

    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByRole('link', { name: 'Query', exact: true }).click();
    await page.getByText('Returns all events of the named feature flag.').waitFor();

    await editor().click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('{ featureE');
    await page.getByRole('option', { name: /^featureEvents/ }).waitFor();
    await page.keyboard.type('rror }');
    await editor().locator('.squiggly-error').first().waitFor();
    expect(watch.errors).toEqual([]);
  });

  it('Prettify → formats the query; the workers load from the gateway', async () => {
    await open();
    await enterToken(gateway.token);
    await editor().click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('query Short{events(first:1){totalCount');
    await page.getByRole('button', { name: /^Prettify/ }).click();

    await editor().getByText('query Short {').waitFor();
    await page.getByRole('tab', { name: 'FlagHistory' }).click();
    await page.getByRole('region', { name: 'Variables' }).getByText('"checkout"').waitFor();
    const files = watch.requests.map((request) => new URL(request.url()).pathname);
    expect(files).toEqual(expect.arrayContaining(['/graphiql/graphql.worker.js', '/graphiql/json.worker.js']));
    expect(watch.errors).toEqual([]);
  });

  it('each request, introspection included → the token in the authorization header and nowhere else', async () => {
    await open();
    await enterToken(gateway.token);
    await status('Token accepted: ').waitFor();
    await runButton().click();
    await result('"totalCount"').waitFor();

    expect(await graphqlRequests(watch)).toEqual([
      { operationName: 'IntrospectionQuery', authorization: gateway.token },
      { operationName: 'Viewer', authorization: gateway.token },
      { operationName: 'NewestEvents', authorization: gateway.token },
    ]);
    const urls = [...watch.requests.map((request) => request.url()), page.url()];
    expect(urls.filter((url) => url.includes(gateway.token))).toEqual([]);
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(gateway.token);
    expect(await page.context().cookies()).toEqual([]);
  });

  it('loading the page → requests to no other host', async () => {
    await open();
    await enterToken(gateway.token);
    await status('Token accepted').waitFor();

    const origins = new Set(watch.requests.map((request) => new URL(request.url()).origin));
    origins.delete('null'); // images inside the style sheet
    expect([...origins]).toEqual([gateway.url]);
  });

  it('an accepted token → its name and rights beside the field, until another token is entered', async () => {
    await open();
    await enterToken(gateway.token);

    await status('Token accepted: admin, ADMIN, all projects').waitFor();
    await enterToken(`${gateway.token}x`);
    await status('Token rejected').waitFor();
    expect(await page.getByText('all projects').count()).toBe(0);
  });

  it('a token that was typed but not submitted → used', async () => {
    await open();
    await tokenField().fill(gateway.token);
    await runButton().click();

    await result('"totalCount"').waitFor();
  });

  it('a token that is half typed while another window gets the focus → not used yet', async () => {
    await open();
    await tokenField().fill(gateway.token.slice(0, 10));
    // A page gets this event when another window gets the focus. Chromium without a screen has no other window.
    await tokenField().dispatchEvent('focusout');
    await tokenField().fill(gateway.token);
    await tokenField().press('Enter');

    await status('Token accepted').waitFor();
    expect(watch.errors).toEqual([]);
    expect(new Set((await graphqlRequests(watch)).map(({ authorization }) => authorization))).toEqual(new Set([gateway.token]));
  });

  it('reloading the tab → keeps the token until Forget is clicked', async () => {
    await open();
    await enterToken(gateway.token);
    await status('Token accepted').waitFor();
    await page.reload();
    await status('Token accepted').waitFor();
    await page.getByRole('button', { name: 'Forget' }).click();

    await status('No token yet').waitFor();
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).toBe('{}');
    expect(await tokenField().inputValue()).toBe('');
  });
});

describe('GraphiQL on a phone', () => {
  beforeEach(() => page.setViewportSize({ width: 390, height: 700 }));

  /** The page does not scroll sideways: nothing in it is wider than the screen. */
  const expectFit = async () => expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);

  it('running a query → a result of at least 350 × 200 pixels below the operation', async () => {
    await open();
    await expectFit();
    await enterToken(gateway.token);
    await status('Token accepted: ').waitFor();
    await runButton().click();
    await result('"totalCount"').waitFor();

    await expectFit();
    const [operation, response] = [await editor().boundingBox(), await page.locator('.result-window').boundingBox()];
    expect(response?.width).toBeGreaterThanOrEqual(350);
    expect(response?.height).toBeGreaterThanOrEqual(200);
    expect(operation?.width).toBeGreaterThanOrEqual(300);
    expect(operation?.height).toBeGreaterThanOrEqual(80);
    expect(response?.y).toBeGreaterThan((operation?.y ?? 0) + (operation?.height ?? 0));
    expect((response?.y ?? 0) + (response?.height ?? 0)).toBeLessThanOrEqual(700);
    expect(watch.errors).toEqual([]);
  });

  it('opening the documentation → in the place of the editors, until it is closed', async () => {
    await open();
    await enterToken(gateway.token);
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByRole('link', { name: 'Query', exact: true }).click();

    const description = page.getByText('Returns all events of the named feature flag.');
    await description.waitFor();
    expect((await description.boundingBox())?.width).toBeGreaterThan(300);
    expect(await editor().isVisible()).toBe(false);
    await expectFit();
    await page.getByRole('button', { name: 'Hide Documentation Explorer' }).click();
    await editor().waitFor();
  });
});

describe('GraphiQL with an invalid token', () => {
  it('an unknown token → an error beside the field, until a valid one is entered', async () => {
    await open();
    await enterToken(`${gateway.token}x`);

    await status('Token rejected: The API token is not recognized, or is no longer valid.').waitFor();
    expect(await tokenField().getAttribute('aria-invalid')).toBe('true');
    expect(watch.errors).toEqual([REJECTED]);

    await enterToken(gateway.token);
    await status('Token accepted').waitFor();
    await runButton().click();
    await result('"totalCount"').waitFor();
    expect(watch.errors).toEqual([REJECTED]);
  });

  it('a token that no header can carry → an error without a request', async () => {
    await open();
    await enterToken('schlüssel→');

    await status('Token rejected: It contains characters that no token has.').waitFor();
    expect(await graphqlRequests(watch)).toEqual([]);
  });

  // The last test, because it blocks the address of this machine for tokens that were not used before.
  it('a wrong token from a blocked address → the reason, and no word about the token', async () => {
    const guess = () =>
      fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { authorization: 'a wrong token', 'content-type': 'application/json' },
        body: '{"query":"{ __typename }"}',
      });
    let isBlocked = false;
    for (let batches = 0; batches < 50 && !isBlocked; batches += 1) {
      const responses = await Promise.all(Array.from({ length: 20 }, guess));
      isBlocked = responses.some(({ status }) => status === 429);
    }
    expect(isBlocked).toBe(true);
    await open();
    await enterToken('another wrong token');

    await status('Request failed: Too many').waitFor();
    expect(await page.getByText('Token rejected').count()).toBe(0);
  });
});
