import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from './browser.mjs';
import { type RecordedGateway, startRecordedGateway } from './recorded-gateway.mjs';
import { graphqlRequests, type PageWatch, watchPage } from './watch-page.js';

const REFUSED = 'Failed to load resource: the server responded with a status of 401 (Unauthorized)';

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

async function enterToken(token: string) {
  await tokenField().fill(token);
  await tokenField().press('Enter');
}

describe('GraphiQL without a token', () => {
  it.each(['/graphiql', '/graphiql/'])('%s opens the examples in tabs and tells how to get a token', async (path) => {
    await open(path);

    for (const name of ['NewestEvents', 'FlagHistory', 'SearchEvents', 'CreateInviteLink']) {
      await page.getByRole('tab', { name }).waitFor();
    }
    await status('No token yet').waitFor();
    await page.getByText('npm run -s gateway -- token create --name me --role VIEWER').waitFor();
    expect(watch.errors).toEqual([]);
  });

  it('sends no GraphQL request, not even to run a query', async () => {
    await open();
    await runButton().click();

    await result('Nothing was sent').waitFor();
    expect(await graphqlRequests(watch)).toEqual([]);
  });
});

describe('GraphiQL with a valid token', () => {
  it('shows the events of a query', async () => {
    await open();
    await enterToken(gateway.token);
    await status('Token accepted').waitFor();
    await runButton().click();

    await result(`"totalCount": ${gateway.eventCount},`).waitFor();
    await result('"FEATURE_CREATED"').first().waitFor();
    expect(watch.errors).toEqual([]);
  });

  it('loads the schema without a reload: documentation, completion and checks of the query', async () => {
    await open();
    await enterToken(gateway.token);

    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByRole('link', { name: 'Query', exact: true }).click();
    await page.getByText('Lists all events related to the named feature flag.').waitFor();

    await editor().click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('{ featureE');
    await page.getByRole('option', { name: /^featureEvents/ }).waitFor();
    await page.keyboard.type('rror }');
    await editor().locator('.squiggly-error').first().waitFor();
    expect(watch.errors).toEqual([]);
  });

  it('prettifies a query and starts its workers from its own files', async () => {
    await open();
    await enterToken(gateway.token);
    await editor().click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('query Short{events(first:1){totalCount');
    await page.getByRole('button', { name: /^Prettify/ }).click();

    await editor().getByText('query Short {').waitFor();
    await page.getByRole('tab', { name: 'FlagHistory' }).click();
    await page.getByRole('region', { name: 'Variables' }).getByText('"checkout-v2"').waitFor();
    const files = watch.requests.map((request) => new URL(request.url()).pathname);
    expect(files).toEqual(expect.arrayContaining(['/graphiql/graphql.worker.js', '/graphiql/json.worker.js']));
    expect(watch.errors).toEqual([]);
  });

  it('sends it in the authorization header of each request, introspection included, and puts it nowhere else', async () => {
    await open();
    await enterToken(gateway.token);
    await status('Token accepted').waitFor();
    await runButton().click();
    await result('"totalCount"').waitFor();

    expect(await graphqlRequests(watch)).toEqual([
      { operationName: 'IntrospectionQuery', authorization: gateway.token },
      { operationName: 'NewestEvents', authorization: gateway.token },
    ]);
    const urls = [...watch.requests.map((request) => request.url()), page.url()];
    expect(urls.filter((url) => url.includes(gateway.token))).toEqual([]);
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(gateway.token);
    expect(await page.context().cookies()).toEqual([]);
  });

  it('asks no host but the gateway', async () => {
    await open();
    await enterToken(gateway.token);
    await status('Token accepted').waitFor();

    const origins = new Set(watch.requests.map((request) => new URL(request.url()).origin));
    origins.delete('null'); // images inside the style sheet
    expect([...origins]).toEqual([gateway.url]);
  });

  it('takes a token that was typed and not submitted', async () => {
    await open();
    await tokenField().fill(gateway.token);
    await runButton().click();

    await result('"totalCount"').waitFor();
  });

  it('keeps it for a reload of the tab, until it is forgotten', async () => {
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

describe('GraphiQL with a token that is refused', () => {
  it('says so in words beside the field, until a valid one is entered', async () => {
    await open();
    await enterToken(`${gateway.token}x`);

    await status('Token refused: The API token is not known here, or no longer valid.').waitFor();
    expect(await tokenField().getAttribute('aria-invalid')).toBe('true');
    expect(watch.errors).toEqual([REFUSED]);

    await enterToken(gateway.token);
    await status('Token accepted').waitFor();
    await runButton().click();
    await result('"totalCount"').waitFor();
    expect(watch.errors).toEqual([REFUSED]);
  });

  it('refuses what no header can carry before it is sent', async () => {
    await open();
    await enterToken('schlüssel→');

    await status('Token refused: It has characters that no token has.').waitFor();
    expect(await graphqlRequests(watch)).toEqual([]);
  });
});
