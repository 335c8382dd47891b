import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startBrowser } from './browser.mjs';
import { type DemoGateway, startDemo } from './recorded-gateway.mjs';
import { type PageWatch, watchPage } from './watch-page.js';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const REJECTED = 'Failed to load resource: the server responded with a status of 401 (Unauthorized)';

let gateway: DemoGateway;
let browser: Browser;
let page: Page;
let watch: PageWatch;

beforeAll(async () => {
  gateway = await startDemo();
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

async function newPage(options: BrowserContextOptions = {}) {
  await page?.context().close();
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, timezoneId: 'UTC', ...options });
  page = await context.newPage();
  page.setDefaultTimeout(30_000);
  watch = await watchPage(page);
}

/** Opens a page as a user whose token is in the tab already. */
async function open(path = '/') {
  await page.addInitScript(`sessionStorage.setItem('flag-admin-gateway:api-token', '${gateway.token}')`);
  await page.goto(gateway.url + path);
}

const rows = () => page.locator('.event-row[data-event]');
const total = () => page.locator('.total');
const filterField = () => page.getByRole('combobox', { name: 'Filter' });

/** Nothing breaks a rule of WCAG 2.2 AA, the content security policy or the console, and no other host gets a request. */
async function expectSound() {
  const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
  expect(violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))).toEqual([]);
  expect(watch.errors).toEqual([]);
  const hosts = new Set(watch.requests.map((request) => new URL(request.url()).origin));
  expect([...hosts]).toEqual([gateway.url]);
}

beforeEach(() => newPage());
afterEach(() => page.context().close());

describe('sign-in', () => {
  it('without a token → asks for one and sends no request; with one → the events', async () => {
    await page.goto(gateway.url);
    await expectSound();
    expect(watch.requests.filter((request) => new URL(request.url()).pathname === '/graphql')).toEqual([]);
    await page.getByLabel('API token').fill(gateway.token);
    await page.keyboard.press('Enter');

    await rows().first().waitFor();
    await page.getByText('admin ADMIN, all projects').waitFor();
    expect(watch.requests.filter((request) => request.url().includes(gateway.token))).toEqual([]);
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(gateway.token);
  });

  it('a rejected token → the reason; signing out → forgets the token', async () => {
    await page.goto(`${gateway.url}/?flag=checkout`);
    await page.getByLabel('API token').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('The API token is not recognized, or is no longer valid.').waitFor();
    expect(watch.errors).toEqual([REJECTED]);
    await page.getByLabel('API token').fill(gateway.token);
    await page.keyboard.press('Enter');
    await total().getByText('17 events').waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API token').waitFor();
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).toBe('{}');
  });
});

describe('the timeline', () => {
  it('scrolling → further pages under headings of days, with a bounded number of rows in the document', async () => {
    await open();
    await rows().first().waitFor();
    await page.getByRole('heading', { name: /^Today/ }).waitFor();
    const newest = await rows().first().getAttribute('data-event');
    for (const position of [55, 105, 155, 205]) {
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      await page.locator(`[aria-posinset="${position}"]`).waitFor();
    }

    expect(await rows().count()).toBeLessThan(60);
    await page.evaluate('scrollTo(0, 0)');
    await page.locator(`[data-event="${newest}"]`).waitFor();
    await expectSound();
  });

  it('choosing a suggestion → a chip and the exact total; back → as before', async () => {
    await open();
    await filterField().click();
    await page.keyboard.type('fl');
    await page.getByRole('option', { name: 'flag:' }).click();
    await page.keyboard.type('check');
    await expectSound();
    await page.getByRole('option', { name: /^checkout 17$/ }).click();

    await total().getByText('17 events').waitFor();
    await page.getByRole('button', { name: 'Remove flag: checkout' }).waitFor();
    expect(page.url()).toBe(`${gateway.url}/?flag=checkout`);
    expect(await rows().first().textContent()).toContain('maya.okafor@example.com disabled checkout in production');
    await page.goBack();
    await total()
      .getByText(/^1,9\d\d events$/)
      .waitFor();
    expect(await filterField().inputValue()).toBe('');
  });

  it('a filter that nothing matches → what each part keeps away', async () => {
    await open('/?flag=checkout&type=feature-archived');
    await page.getByRole('heading', { name: 'Nothing matches this filter' }).waitFor();
    await page.getByText('17 events').waitFor();
    await expectSound();
    await page.getByRole('button', { name: 'Without type: feature-archived' }).click();

    await total().getByText('17 events').waitFor();
  });
});

describe('an event', () => {
  it('by the keyboard: j, Enter, j and Escape → the next event, and the focus on its row', async () => {
    await open('/?flag=checkout');
    await rows().first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Event \d+$/ }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.locator('.event-panel').getByText('parameters › rollout').waitFor();
    await expectSound();
    const id = new URL(page.url()).pathname.split('/').at(-1);
    await page.keyboard.press('Escape');

    await page.locator(`[data-event="${id}"]:focus`).waitFor();
    expect(page.url()).toBe(`${gateway.url}/?flag=checkout`);
  });

  it('an event that does not exist → said so', async () => {
    await open('/events/999999');
    await page.getByText('There is no event 999999 in the log, or this token may not see it.').waitFor();
    await expectSound();
  });
});
