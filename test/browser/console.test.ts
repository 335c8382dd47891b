import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { startBrowser } from './browser.mjs';
import { type ConsolePage, openConsolePage } from './console-page.js';
import { type DemoGateway, startDemo } from './recorded-gateway.mjs';

const REJECTED = 'Failed to load resource: the server responded with a status of 401 (Unauthorized)';

/** The lifetime of the expiring token. A token cannot be created with an end in the past. */
const EXPIRY_MS = 30_000;

let gateway: DemoGateway;
let browser: Browser;
let tab: ConsolePage;
let labsToken: string;
let expiredToken: string;
/** The moment at which the token has expired. */
let expired: Promise<void>;

beforeAll(async () => {
  [gateway, browser] = await Promise.all([startDemo(), startBrowser()]);
  const end = Date.now() + EXPIRY_MS;
  expired = new Promise((resolve) => setTimeout(resolve, EXPIRY_MS));
  const create = (...options: readonly string[]) =>
    gateway.runCommand('token', 'create', '--role', 'VIEWER', ...options).then((printed) => printed.split(/\s+/).at(-1) ?? '');
  [labsToken, expiredToken] = await Promise.all([
    create('--name', 'labs', '--project', 'labs'),
    create('--name', 'short', '--expires', new Date(end).toISOString()),
  ]);
});

afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

beforeEach(async () => {
  tab = await openConsolePage(browser, gateway.url);
});
afterEach(() => tab.close());

describe('sign-in', () => {
  it('without a token → asks for one and sends no request; with one → the events', async () => {
    await tab.open('/');
    await tab.page.getByLabel('API token').waitFor();
    await tab.expectSound();
    expect(tab.watch.requests.filter((request) => new URL(request.url()).pathname === '/graphql')).toEqual([]);
    await tab.page.getByLabel('API token').fill(gateway.token);
    await tab.submit();

    await tab.rows.first().waitFor();
    await tab.page.getByText('admin ADMIN, all projects').waitFor();
    expect(tab.watch.requests.filter((request) => request.url().includes(gateway.token))).toEqual([]);
    expect(await tab.page.evaluate('JSON.stringify(localStorage)')).not.toContain(gateway.token);
  });

  it('a rejected token → the reason; signing out → forgets the token', async () => {
    await tab.open('/?flag=checkout');
    await tab.page.getByLabel('API token').fill('wrong');
    await tab.submit();
    await tab.page.getByText('The API token is not recognized, or is no longer valid.').waitFor();
    await tab.page.getByLabel('API token').fill(gateway.token);
    await tab.submit();
    await tab.total('17 events').waitFor();

    await tab.page.getByRole('button', { name: 'Sign out' }).click();
    await tab.page.getByLabel('API token').waitFor();
    expect(await tab.page.evaluate('JSON.stringify(sessionStorage)')).toBe('{}');
  });
});

describe('the list', () => {
  it('scrolling → further pages under headings of days, with a bounded number of rows in the document', async () => {
    await tab.open('/', gateway.token);
    await tab.rows.first().waitFor();
    await tab.newestDay.waitFor();
    const newest = await tab.rows.first().getAttribute('data-event');
    for (const position of [55, 105, 155, 205]) {
      await tab.page.evaluate('scrollTo(0, document.body.scrollHeight)');
      await tab.page.locator(`[aria-posinset="${position}"]`).waitFor();
    }

    expect(await tab.rows.count()).toBeLessThan(60);
    await tab.page.evaluate('scrollTo(0, 0)');
    await tab.page.locator(`[data-event="${newest}"]`).waitFor();
    await tab.expectSound();
  });

  it('a filter without matches → the number of events that each part excludes', async () => {
    await tab.open('/?flag=checkout&type=feature-archived', gateway.token);
    await tab.page.getByRole('heading', { name: 'Nothing matches this filter' }).waitFor();
    await tab.page.getByText('17 events').waitFor();
    await tab.expectSound();
    await tab.page.getByRole('button', { name: 'Without type: feature-archived' }).click();

    await tab.total('17 events').waitFor();
  });
});

const SWITCHED_OFF = 'maya.okafor@example.com disabled checkout in production';

describe.each(['mouse', 'keyboard'] as const)('by the %s', (hand) => {
  /** Mouse and keyboard lead to the same pages, so only those of the mouse are checked for the rules of WCAG. */
  const expectGood = async () => (hand === 'mouse' ? tab.expectSound() : tab.expectQuiet());

  it('who switched off checkout last week? → the event', async () => {
    await tab.open('/', gateway.token);
    await tab.rows.first().waitFor();
    if (hand === 'mouse') {
      await tab.filter.click();
      await tab.page.getByRole('option', { name: /^flag:/ }).click();
      await tab.page.getByRole('option', { name: /^checkout / }).click();
      await tab.total('17 events').waitFor();
      await tab.filter.click();
      await tab.page.getByRole('option', { name: /^since:/ }).click();
      await tab.page.getByRole('option', { name: /^7d/ }).click();
      await tab.total('3 events').waitFor();
      await tab.rows.filter({ hasText: SWITCHED_OFF }).click();
    } else {
      await tab.press('/');
      await tab.page.keyboard.type('flag:checkout since:7d');
      await tab.total('3 events').waitFor();
      await tab.press('Enter', 'Escape', 'j');
      await tab.page.locator('.event-row:focus', { hasText: SWITCHED_OFF }).waitFor();
      await tab.press('Enter');
    }
    await tab.page.locator('.detail-sentence').waitFor();
    expect((await tab.page.locator('.detail-sentence').innerText()).trim()).toBe(SWITCHED_OFF);
    await expectGood();
  });

  it('sharing the link to a view → the same events in another tab, with a frozen end', async () => {
    await tab.open('/?flag=checkout&since=7d', gateway.token);
    await tab.total('3 events').waitFor();
    const button = tab.page.getByRole('button', { name: 'Copy link to this view' });
    const link = new URL(await tab.copied(() => (hand === 'mouse' ? button.click() : tab.press('c'))));
    await tab.page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(Object.fromEntries(link.searchParams)).toEqual({
      flag: 'checkout',
      since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      until: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    await tab.page.goto(link.href);
    await tab.total('3 events').waitFor();
  });

  it('selecting the peak of the histogram → the events of that time', async () => {
    await tab.open('/', gateway.token);
    const bars = tab.page.locator('.bar');
    // The histogram shows weeks at first, and then days.
    await bars.nth(60).waitFor({ state: 'attached' });
    const heights = await bars.evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect().height));
    const peak = heights.indexOf(Math.max(...heights));
    const count = await tab.page.locator('.histogram tbody tr').nth(peak).locator('td').textContent();
    if (hand === 'mouse') {
      await dragOver(peak);
      await tab.total(`${count} events`).waitFor();
      await expectGood();
      await tab.page.goBack();
      await bars.nth(60).waitFor({ state: 'attached' });
      const { x, y } = await placeOf(peak);
      await tab.page.mouse.click(x, y);
    } else {
      const end = tab.page.getByRole('slider', { name: /^End of the range/ });
      await moveTo(tab.page.getByRole('slider', { name: /^Start of the range/ }), peak);
      await moveTo(end, peak + 1);
      await tab.press('Enter');
      await tab.page.waitForURL(/since=.*until=/);
      expect(await end.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    }
    await tab.page.waitForURL(/since=.*until=/);
    await tab.page.getByRole('button', { name: /^Remove until: / }).waitFor();
    await tab.total(`${count} events`).waitFor();
  });

  it('reading what an event changed → its values before and after, and back to its row', async () => {
    await tab.open('/?flag=checkout', gateway.token);
    await tab.total('17 events').waitFor();
    const ids = await tab.rows.evaluateAll((rows) => rows.slice(0, 3).map((row) => row.getAttribute('data-event')));
    for (const [index, id] of ids.entries()) {
      if (hand === 'keyboard') await tab.press('j');
      else await (index === 0 ? tab.rows.first() : tab.page.getByRole('link', { name: 'Older event' })).click();
      if (index === 0 && hand === 'keyboard') {
        await tab.page.locator(`[data-event="${id}"]:focus`).waitFor();
        await tab.press('Enter');
      }
      await tab.page.locator('.panel-bar h2:focus', { hasText: `Event ${id}` }).waitFor();
    }
    const panel = tab.page.locator('.event-panel');
    await panel.getByText('parameters › rollout').waitFor();
    expect(await panel.locator('.changes').innerText()).toMatch(/100\s*→\s*to\s*50/);
    await (hand === 'mouse' ? tab.page.getByRole('button', { name: 'Close' }).click() : tab.press('Escape'));
    await tab.page.locator(`[data-event="${ids[2]}"]:focus`).waitFor();
    expect(tab.page.url()).toBe(`${gateway.url}/?flag=checkout`);
  });

  it('exporting a filter → a file with each event, and its count', async () => {
    await tab.open('/?flag=checkout', gateway.token);
    await tab.total('17 events').waitFor();
    await tab.use(hand, tab.page.locator('summary', { hasText: 'Export' }));
    const format = hand === 'mouse' ? 'NDJSON' : 'CSV';
    const started = tab.page.waitForEvent('download');
    await tab.use(hand, tab.page.getByRole('button', { name: `17 events as ${format}` }));
    const lines = readFileSync(await (await started).path(), 'utf8')
      .trimEnd()
      .split('\n');
    await tab.page.getByText('Exported 17 events').waitFor();
    if (format === 'CSV') {
      expect(lines[0]).toBe('id,createdAt,type,createdBy,createdByUserId,environment,project,featureName,tags,data,preData\r');
      expect(lines.length).toBe(18);
    } else {
      const events = lines.map((line) => JSON.parse(line) as { featureName: string });
      expect(events.map(({ featureName }) => featureName)).toEqual(Array(17).fill('checkout'));
    }
  });

  it('an invite link → created, shown with its state, and copied', async () => {
    await tab.open('/invite', gateway.token);
    const name = tab.page.getByLabel('Name, for display only');
    if (hand === 'mouse') {
      await name.click();
      await tab.page.keyboard.type('Support team');
      await tab.page.getByLabel('30 days').click();
      await tab.page.getByRole('button', { name: 'Create the link' }).click();
    } else {
      await tab.goTo(name);
      await tab.page.keyboard.type('Support team');
      await tab.press('Tab', 'ArrowDown');
      expect(await tab.page.getByLabel('30 days').isChecked()).toBe(true);
      await tab.press('Enter');
    }
    await tab.page.getByRole('heading', { name: 'The link is ready' }).waitFor();
    const link = await tab.page.locator('.invite-link code').innerText();
    expect(link).toMatch(/^http:\/\/localhost:4242\/new-user\?invite=[0-9a-f]{32}$/);
    await tab.page.getByText('Active', { exact: true }).waitFor();
    expect(await tab.copied(() => tab.use(hand, tab.page.getByRole('button', { name: 'Copy the link' })))).toBe(link);
    await expectGood();
    await tab.use(hand, tab.page.getByRole('button', { name: 'Refresh its state' }));
    await tab.page.getByText('nobody yet').waitFor();
  });

  it('a VIEWER of one project → its events, its rights in the header, and why it cannot invite', async () => {
    await tab.open('/', labsToken);
    await tab.page.getByText('VIEWER, project labs').waitFor();
    await tab.rows.first().waitFor();
    expect(new Set(await tab.page.locator('.project-label').allInnerTexts())).toEqual(new Set(['labs']));
    await tab.use(hand, tab.page.getByRole('link', { name: 'Invite' }));
    await tab.page.getByText('This operation needs the ADMIN permission, which you do not have.').waitFor();
    await expectGood();
    await tab.use(hand, tab.page.getByRole('link', { name: 'Events', exact: true }));
    await (hand === 'mouse' ? tab.filter.click() : tab.press('/'));
    await tab.page.keyboard.type('project:payments ');
    await tab.page.getByText('This token sees the events of project labs.').waitFor();
    await expectGood();
  });
});

/** The middle of a bar of the histogram. */
async function placeOf(bar: number): Promise<{ readonly x: number; readonly y: number; readonly width: number }> {
  const brush = await tab.page.locator('.brush').boundingBox();
  const box = await tab.page.locator('.bar').nth(bar).boundingBox();
  if (!brush || !box) throw new Error('The histogram is not shown.');
  return { x: box.x + box.width / 2, y: brush.y + brush.height / 2, width: box.width };
}

/** Drags over the middle of a bar. */
async function dragOver(bar: number): Promise<void> {
  const { x, y, width } = await placeOf(bar);
  await tab.page.mouse.move(x - width * 0.3, y);
  await tab.page.mouse.down();
  await tab.page.mouse.move(x + width * 0.3, y, { steps: 5 });
  await tab.page.mouse.up();
}

/** Moves a handle of the histogram by its keys. */
async function moveTo(handle: Locator, edge: number): Promise<void> {
  await tab.goTo(handle);
  const distance = async () => edge - Number(await handle.getAttribute('aria-valuenow'));
  for (let left = await distance(); left !== 0; left = await distance()) {
    const [forwards, backwards] = Math.abs(left) < 10 ? ['ArrowRight', 'ArrowLeft'] : ['PageUp', 'PageDown'];
    await tab.page.keyboard.press(left > 0 ? forwards : backwards);
  }
}

describe('an event', () => {
  it('a link to an old one → its page, and the list scrolled to its row', async () => {
    await tab.open('/events/500', gateway.token);
    await tab.page.locator('[data-event="500"][aria-current="true"]').waitFor();
    await tab.page.getByRole('button', { name: 'Show the newest events' }).waitFor();
    expect(await tab.page.locator('[data-event="500"]').isVisible()).toBe(true);
    await tab.expectSound();
    await tab.page.getByRole('button', { name: 'Show the newest events' }).click();
    await tab.newestDay.waitFor();
  });

  it('a value of an event → added to the filter; its type → excluded', async () => {
    await tab.open('/?flag=checkout', gateway.token);
    await tab.rows.nth(2).click();
    const panel = tab.page.locator('.event-panel');
    await panel.getByRole('button', { name: 'Add by: maya.okafor@example.com to the filter' }).click();
    await tab.total('3 events').waitFor();
    await panel.getByRole('button', { name: 'Leave out events of the type feature-strategy-update' }).click();
    await tab.total('2 events').waitFor();
    expect(tab.page.url()).toMatch(/\/events\/\d+\?.*-type=feature-strategy-update/);
    await tab.expectSound();
  });
});

describe('numbers by property', () => {
  it('numbers beside suggestions → for the typed text; numbers in the tables → for the filter', async () => {
    const query = '{ eventCounts(filter: {features: ["checkout"]}, by: ENVIRONMENT) { groups { key count } } }';
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { authorization: gateway.token, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    const { data } = (await response.json()) as { data: { eventCounts: { groups: { key: string; count: number }[] } } };
    const { count } = data.eventCounts.groups.find(({ key }) => key === 'production') ?? { count: 0 };

    await tab.open('/', gateway.token);
    await tab.page.getByRole('combobox', { name: 'Filter' }).fill('flag:checkout env:');
    await tab.page.getByRole('option', { name: new RegExp(`^production\\s*${count}$`) }).click();
    await tab.total(`${count} events`).waitFor();
    await tab.page.locator('summary', { hasText: 'Numbers by type' }).click();
    await tab.page
      .getByRole('table', { name: 'By environment' })
      .getByRole('row', { name: `production ${count}` })
      .waitFor();
    await tab.expectSound();
  });
});

describe('a text that is the name of a flag', () => {
  it('→ a hint that only data is searched; as a flag → a link to its page', async () => {
    await tab.open('/?q=checkout', gateway.token);
    const hint = tab.page.locator('.filter-hint');
    await hint.getByText('searched only in the data of events').waitFor();
    await tab.expectSound();
    await hint.getByRole('button', { name: 'flag: checkout' }).click();
    await tab.total('17 events').waitFor();
    await hint.getByRole('link', { name: 'Flag checkout: history and numbers' }).click();
    await tab.page.getByRole('heading', { name: 'checkout' }).waitFor();
    expect(new URL(tab.page.url()).pathname).toBe('/flags/checkout');
  });

  it('suggested ages → what each means for the beginning and for the end', async () => {
    await tab.open('/', gateway.token);
    await tab.filter.fill('since:7');
    await tab.page.getByRole('option', { name: '7d the last week' }).waitFor();
    await tab.filter.fill('until:7');
    await tab.page.getByRole('option', { name: '7d until a week ago' }).waitFor();
  });
});

describe('the pages of a flag, a project and a person', () => {
  it('a flag → how it stands, with the events that say so', async () => {
    await tab.open('/flags/checkout', gateway.token);
    await tab.page
      .getByText(
        /checkout was created by dana\.levy@example\.com on .*, is on in development and staging, is off in production, and was last switched off in production by maya\.okafor@example\.com on .*\./,
      )
      .waitFor();
    await tab.total('17 events').waitFor();
    await tab.page.getByRole('table', { name: 'By person' }).getByRole('link', { name: 'maya.okafor@example.com' }).waitFor();
    await tab.expectSound();
    await tab.page.getByRole('table', { name: 'By person' }).getByRole('link', { name: 'maya.okafor@example.com' }).click();
    await tab.total('3 events').waitFor();
  });

  it('each page → no violation', async () => {
    await tab.open('/projects/payments', gateway.token);
    for (const path of ['/projects/payments', '/people/maya.okafor%40example.com', '/flags/never-created']) {
      await tab.visit(path);
      await tab.page.getByRole('heading', { level: 1, name: decodeURIComponent(path.split('/').at(-1) ?? '') }).waitFor();
      await tab.total(/event/).waitFor();
      await tab.expectSound();
    }
  });
});

describe('taking events elsewhere', () => {
  it('copy as curl and as GraphQL → texts without the token', async () => {
    await tab.open('/?flag=checkout', gateway.token);
    await tab.total('17 events').waitFor();
    await tab.page.locator('summary', { hasText: 'Export' }).click();
    await tab.expectSound();
    expect(await tab.copied(() => tab.page.getByRole('button', { name: 'Copy as curl' }).click())).toBe(
      `curl --fail --header "authorization: $GATEWAY_TOKEN" '${gateway.url}/v1/events/export?feature=IS%3Acheckout'`,
    );
    const operation = await tab.copied(() => tab.page.getByRole('button', { name: 'Copy as GraphQL' }).click());
    expect(operation).toContain('query ConsoleEvents');
    expect(operation).not.toContain(gateway.token);
  });
});

describe('an invite link', () => {
  it('a lost response → the second attempt of the same form creates no second link', async () => {
    await tab.open('/invite', gateway.token);
    await tab.page.getByLabel('Name, for display only').fill('Once');
    const keys: unknown[] = [];
    await tab.page.route('**/graphql', async (route) => {
      const body = route.request().postDataJSON() as { variables: { idempotencyKey?: string } };
      if (body.variables.idempotencyKey === undefined) return route.continue();
      keys.push(body.variables.idempotencyKey);
      const response = await route.fetch();
      return keys.length === 1 ? route.abort() : route.fulfill({ response });
    });
    await tab.submit();
    await tab.page.getByText('The gateway cannot be reached.').waitFor();
    await tab.page.getByRole('button', { name: 'Try again' }).click();
    await tab.page.getByRole('heading', { name: 'The link is ready' }).waitFor();
    expect(keys).toEqual([keys[0], keys[0]]);
    await tab.page.goto(`${gateway.url}/?type=public-signup-token-created&q=Once`);
    await tab.total('1 event').waitFor();
  });
});

describe('a token that is revoked while the page is open', () => {
  it('the next request → sign-in with the reason, and then the same page', async () => {
    await tab.open('/?flag=checkout', gateway.token);
    await tab.total('17 events').waitFor();
    await tab.page.route('**/graphql', (route) =>
      route.fulfill({
        status: 401,
        contentType: 'application/json',
        body: JSON.stringify({
          errors: [
            { message: 'The API token is not recognized, or is no longer valid.', extensions: { name: 'UnauthorizedError' } },
          ],
        }),
      }),
    );
    await tab.rows.first().click();
    await tab.page.getByText('The API token is not recognized, or is no longer valid.').waitFor();
    await tab.page.unroute('**/graphql');
    await tab.page.getByLabel('API token').fill(gateway.token);
    await tab.submit();
    await tab.page.getByRole('heading', { name: /^Event \d+$/ }).waitFor();
  });
});

/** A page in each state, with the selector of its content. */
const PAGES: readonly (readonly [string, string])[] = [
  ['/?project=web-shop&type=feature-environment-disabled&since=90d', '.event-row[data-event]'],
  ['/events/500', '.detail-sentence'],
  ['/events/999999', '.event-panel .notice'],
  ['/flags/checkout', '.conclusion a'],
  ['/invite', '.invite-form'],
  ['/?flag=none', '.alternatives'],
];

describe.each([
  [360, ['light', 'dark']],
  [1280, ['dark']],
] as const)('%i pixels, %j', (width, colorSchemes) => {
  it('each page → no violation, and nothing wider than the screen', async () => {
    await tab.close();
    tab = await openConsolePage(browser, gateway.url, { viewport: { width, height: 740 }, hasTouch: width === 360 });
    await tab.open(PAGES[0]?.[0] ?? '', gateway.token);
    for (const [path, content] of PAGES) {
      await tab.visit(path);
      await tab.page.locator(content).first().waitFor();
      for (const colorScheme of colorSchemes) {
        await tab.page.emulateMedia({ colorScheme });
        await tab.expectSound();
      }
      await tab.expectFit();
    }
  });
});

describe('on a phone', () => {
  it('an event fills the screen, and closing it shows the list where it was', async () => {
    await tab.close();
    tab = await openConsolePage(browser, gateway.url, { viewport: { width: 360, height: 740 }, hasTouch: true });
    await tab.open('/?project=web-shop', gateway.token);
    await tab.rows.nth(6).tap();
    await tab.page.locator('.detail-sentence').waitFor();
    expect(await tab.page.locator('.event-panel').boundingBox()).toEqual({ x: 0, y: 0, width: 360, height: 740 });
    const position = await tab.page.evaluate('scrollY');
    await tab.page.getByRole('button', { name: 'Close' }).tap();
    await tab.rows.first().waitFor();
    expect(await tab.page.evaluate('scrollY')).toBe(position);
  });
});

// The last test, because the token has expired by then.
describe.each(['mouse', 'keyboard'] as const)('by the %s', (hand) => {
  it('a token that has expired → sign-in with the reason, and then the same page', async () => {
    await expired;
    await tab.open('/?flag=checkout', expiredToken);
    await tab.page.getByText('The API token is not recognized, or is no longer valid.').waitFor();
    if (hand === 'mouse') await tab.expectSound(REJECTED);
    else tab.expectQuiet(REJECTED);
    if (hand === 'mouse') await tab.page.getByLabel('API token').click();
    await tab.page.keyboard.type(gateway.token);
    await (hand === 'mouse' ? tab.page.getByRole('button', { name: 'Sign in' }).click() : tab.press('Enter'));
    await tab.total('17 events').waitFor();
  });
});
