import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { startBrowser } from './browser.mjs';
import { type ConsolePage, openConsolePage } from './console-page.js';
import { type DemoGateway, startDemo } from './recorded-gateway.mjs';

const REJECTED = 'Failed to load resource: the server responded with a status of 401 (Unauthorized)';

let gateway: DemoGateway;
let browser: Browser;
let tab: ConsolePage;

beforeAll(async () => {
  gateway = await startDemo();
  browser = await startBrowser();
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
    await tab.expectSound();
    expect(tab.watch.requests.filter((request) => new URL(request.url()).pathname === '/graphql')).toEqual([]);
    await tab.page.getByLabel('API token').fill(gateway.token);
    await tab.page.keyboard.press('Enter');

    await tab.rows.first().waitFor();
    await tab.page.getByText('admin ADMIN, all projects').waitFor();
    expect(tab.watch.requests.filter((request) => request.url().includes(gateway.token))).toEqual([]);
    expect(await tab.page.evaluate('JSON.stringify(localStorage)')).not.toContain(gateway.token);
  });

  it('a rejected token → the reason; signing out → forgets the token', async () => {
    await tab.open('/?flag=checkout');
    await tab.page.getByLabel('API token').fill('wrong');
    await tab.page.keyboard.press('Enter');
    await tab.page.getByText('The API token is not recognized, or is no longer valid.').waitFor();
    expect(tab.watch.errors).toEqual([REJECTED]);
    await tab.page.getByLabel('API token').fill(gateway.token);
    await tab.page.keyboard.press('Enter');
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
    await tab.page.getByRole('heading', { name: /^Today/ }).waitFor();
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

  it('a filter that nothing matches → what each part keeps away', async () => {
    await tab.open('/?flag=checkout&type=feature-archived', gateway.token);
    await tab.page.getByRole('heading', { name: 'Nothing matches this filter' }).waitFor();
    await tab.page.getByText('17 events').waitFor();
    await tab.expectSound();
    await tab.page.getByRole('button', { name: 'Without type: feature-archived' }).click();

    await tab.total('17 events').waitFor();
  });
});

const SWITCHED_OFF = 'maya.okafor@example.com disabled checkout in production';

describe('who switched off checkout last week?', () => {
  const expectAnswer = async () => {
    await tab.page.locator('.detail-sentence').waitFor();
    expect((await tab.page.locator('.detail-sentence').innerText()).trim()).toBe(SWITCHED_OFF);
    await tab.expectSound();
  };

  it('by the mouse: suggestions, a chip, the row', async () => {
    await tab.open('/', gateway.token);
    await tab.filter.click();
    await tab.page.getByRole('option', { name: /^flag:/ }).click();
    await tab.page.getByRole('option', { name: /^checkout / }).click();
    await tab.total('17 events').waitFor();
    await tab.filter.click();
    await tab.page.getByRole('option', { name: /^since:/ }).click();
    await tab.page.getByRole('option', { name: /^7d/ }).click();
    await tab.total('3 events').waitFor();
    await tab.page.getByText(SWITCHED_OFF).click();
    await expectAnswer();
  });

  it('by the keyboard alone', async () => {
    await tab.open('/', gateway.token);
    await tab.rows.first().waitFor();
    await tab.press('/');
    await tab.page.keyboard.type('flag:checkout since:7d');
    await tab.total('3 events').waitFor();
    await tab.press('Enter');
    await tab.page.keyboard.press('Escape');
    // The rows before stay until the new ones are there.
    await tab.rows.filter({ hasText: SWITCHED_OFF }).waitFor();
    await tab.press('j', 'Enter');
    await expectAnswer();
  });
});

describe('sharing a view', () => {
  it('Copy link → the same events in another tab, with a frozen end', async () => {
    await tab.open('/?flag=checkout&since=7d', gateway.token);
    await tab.total('3 events').waitFor();
    await tab.page.getByRole('button', { name: 'Copy link to this view' }).click();
    await tab.page.getByRole('button', { name: 'Copied' }).waitFor();
    const link = new URL(await tab.clipboard());
    expect(Object.fromEntries(link.searchParams)).toEqual({
      flag: 'checkout',
      since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      until: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    await tab.page.goto(link.href);
    await tab.total('3 events').waitFor();
    await tab.expectSound();
  });

  it('c copies the link, too', async () => {
    await tab.open('/?flag=checkout', gateway.token);
    await tab.total('17 events').waitFor();
    await tab.press('c');
    await tab.page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await tab.clipboard()).toContain(`${gateway.url}/?flag=checkout&until=`);
  });

  it('a link to an old event → its page, and the list scrolled to its row', async () => {
    await tab.open('/events/500', gateway.token);
    await tab.page.locator('[data-event="500"][aria-current="true"]').waitFor();
    await tab.page.getByRole('button', { name: 'Show the newest events' }).waitFor();
    expect(await tab.page.locator('[data-event="500"]').isVisible()).toBe(true);
    await tab.expectSound();
    await tab.page.getByRole('button', { name: 'Show the newest events' }).click();
    await tab.page.getByRole('heading', { name: /^Today/ }).waitFor();
  });
});

describe('the peak of the histogram', () => {
  const totalOf = async () => Number((await tab.page.locator('.total').innerText()).replace(/\D/g, ''));

  it('by the mouse: dragging over it → its range, and a click on a bar → that bucket', async () => {
    await tab.open('/', gateway.token);
    await tab.total(/^1,9\d\d events$/).waitFor();
    // The histogram of weeks is followed by one of days.
    await tab.page.locator('.bar').nth(60).waitFor({ state: 'attached' });
    const bars = await tab.page.locator('.bar').evaluateAll((all) =>
      all.map((bar) => ({
        x: bar.getBoundingClientRect().x,
        width: bar.getBoundingClientRect().width,
        height: bar.getBoundingClientRect().height,
      })),
    );
    const peak = bars.reduce((best, bar) => (bar.height > best.height ? bar : best));
    const box = await tab.page.locator('.brush').boundingBox();
    const y = (box?.y ?? 0) + 40;
    await tab.page.mouse.move(peak.x - peak.width / 2, y);
    await tab.page.mouse.down();
    await tab.page.mouse.move(peak.x + peak.width * 1.5, y, { steps: 5 });
    await tab.page.mouse.up();
    await tab.page.getByRole('button', { name: /^Remove since: / }).waitFor();
    await tab.page.waitForURL(/since=.*until=/);
    await tab.total(/^[1-9]\d{1,2} events$/).waitFor();
    const inRange = await totalOf();
    await tab.expectSound();

    const brush = await tab.page.locator('.brush').boundingBox();
    await tab.page.mouse.click((brush?.x ?? 0) + (brush?.width ?? 0) / 2, y);
    await tab.page.waitForURL((url) => !url.href.includes('undefined') && url.search.length > 0);
    await tab.page.goBack();
    await tab.total(`${inRange} events`).waitFor();
  });

  it('by the keyboard: two handles and Enter', async () => {
    await tab.open('/', gateway.token);
    await tab.total(/^1,9\d\d events$/).waitFor();
    const start = tab.page.getByRole('slider', { name: /^Start of the range/ });
    await start.focus();
    await tab.press('PageUp', 'PageUp', 'ArrowRight');
    await tab.page.getByRole('slider', { name: /^End of the range/ }).focus();
    await tab.press('PageDown', 'Enter');
    await tab.page.getByRole('button', { name: /^Remove until: / }).waitFor();
    await tab.total(/^[1-9][\d,]* events$/).waitFor();
    await tab.expectSound();
  });
});

describe('an event', () => {
  it('by the keyboard: j, Enter, j and Escape → the next event, and the focus on its row', async () => {
    await tab.open('/?flag=checkout', gateway.token);
    await tab.rows.first().waitFor();
    await tab.page.keyboard.press('j');
    await tab.page.keyboard.press('Enter');
    await tab.page.getByRole('heading', { name: /^Event \d+$/ }).waitFor();
    await tab.page.keyboard.press('j');
    await tab.page.keyboard.press('j');
    await tab.page.locator('.event-panel').getByText('parameters › rollout').waitFor();
    await tab.expectSound();
    const id = new URL(tab.page.url()).pathname.split('/').at(-1);
    await tab.page.keyboard.press('Escape');

    await tab.page.locator(`[data-event="${id}"]:focus`).waitFor();
    expect(tab.page.url()).toBe(`${gateway.url}/?flag=checkout`);
  });

  it('its values add to the filter, and its type can be left out', async () => {
    await tab.open('/?flag=checkout', gateway.token);
    await tab.rows.nth(2).click();
    const panel = tab.page.locator('.event-panel');
    await panel.getByText('parameters › rollout').waitFor();
    expect(await panel.locator('.changes').innerText()).toMatch(/100\s*→\s*to\s*50/);
    await panel.getByRole('button', { name: 'Add by: maya.okafor@example.com to the filter' }).click();
    await tab.total('3 events').waitFor();
    await panel.getByRole('button', { name: 'Leave out events of the type feature-strategy-update' }).click();
    await tab.total('2 events').waitFor();
    expect(tab.page.url()).toMatch(/\/events\/\d+\?type=|\/events\/\d+\?.*-type=feature-strategy-update/);
    await tab.expectSound();
  });
});

describe('the pages of a flag, a project and a person', () => {
  it('a flag → how it stands, with the events that say so', async () => {
    await tab.open('/flags/checkout', gateway.token);
    await tab.page
      .getByText(
        /checkout was created by dana\.levy@example\.com on .*, is on in development and staging, and is off in production\./,
      )
      .waitFor();
    await tab.total('17 events').waitFor();
    await tab.page.getByRole('table', { name: 'By person' }).getByRole('link', { name: 'maya.okafor@example.com' }).waitFor();
    await tab.expectSound();
    await tab.page.getByRole('table', { name: 'By person' }).getByRole('link', { name: 'maya.okafor@example.com' }).click();
    await tab.total('3 events').waitFor();
  });

  it.each(['/projects/payments', '/people/maya.okafor%40example.com', '/flags/never-created'])(
    '%s → no violation',
    async (path) => {
      await tab.open(path, gateway.token);
      await tab.total(/event/).waitFor();
      await tab.expectSound();
    },
  );
});

describe('taking events elsewhere', () => {
  const openMenu = async () => {
    await tab.open('/?flag=checkout', gateway.token);
    await tab.total('17 events').waitFor();
    await tab.page.locator('summary', { hasText: 'Export' }).click();
  };

  it('export as NDJSON → a file with each event, and its count', async () => {
    await openMenu();
    await tab.expectSound();
    const started = tab.page.waitForEvent('download');
    await tab.page.getByRole('button', { name: '17 events as NDJSON' }).click();
    const file = readFileSync(await (await started).path(), 'utf8');
    await tab.page.getByText('Exported 17 events').waitFor();
    const events = file
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { featureName: string });
    expect(events.map(({ featureName }) => featureName)).toEqual(Array(17).fill('checkout'));
  });

  it('export as CSV by the keyboard → a file with a header', async () => {
    await tab.open('/?flag=checkout', gateway.token);
    await tab.total('17 events').waitFor();
    await tab.page.locator('summary', { hasText: 'Export' }).focus();
    const started = tab.page.waitForEvent('download');
    await tab.press('Enter', 'Tab', 'Tab', 'Enter');
    const file = readFileSync(await (await started).path(), 'utf8');
    expect(file.split('\r\n')[0]).toBe(
      'id,createdAt,type,createdBy,createdByUserId,environment,project,featureName,tags,data,preData',
    );
  });

  it('copy as curl and as GraphQL → texts without the token', async () => {
    await openMenu();
    await tab.page.getByRole('button', { name: 'Copy as curl' }).click();
    await tab.page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await tab.clipboard()).toBe(
      `curl --fail --header "authorization: $GATEWAY_TOKEN" '${gateway.url}/v1/events/export?feature=IS%3Acheckout'`,
    );
    await tab.page.getByRole('button', { name: 'Copy as GraphQL' }).click();
    await tab.page.getByRole('button', { name: 'Copied' }).nth(1).waitFor();
    expect(await tab.clipboard()).toContain('query ConsoleEvents');
  });
});

describe('an invite link', () => {
  it('created once by the keyboard, shown with its state, and copied', async () => {
    await tab.open('/invite', gateway.token);
    await tab.page.getByLabel('Name, for display only').waitFor();
    await tab.expectSound();
    await tab.page.getByLabel('Name, for display only').focus();
    await tab.page.keyboard.type('Support team');
    await tab.press('Enter');
    await tab.page.getByRole('heading', { name: 'The link is ready' }).waitFor();
    await tab.expectSound();
    const link = await tab.page.locator('.invite-link code').innerText();
    expect(link).toMatch(/^http:\/\/localhost:4242\/new-user\?invite=[0-9a-f]{32}$/);
    await tab.page.getByText('Active').waitFor();
    await tab.page.getByRole('button', { name: 'Copy the link' }).click();
    await tab.page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await tab.clipboard()).toBe(link);
    await tab.page.getByRole('button', { name: 'Refresh its state' }).click();
    await tab.page.getByText('nobody yet').waitFor();
  });

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
    await tab.press('Enter');
    await tab.page.getByText('The gateway cannot be reached.').waitFor();
    await tab.page.getByRole('button', { name: 'Try again' }).click();
    await tab.page.getByRole('heading', { name: 'The link is ready' }).waitFor();
    expect(keys).toEqual([keys[0], keys[0]]);
    await tab.page.goto(`${gateway.url}/?type=public-signup-token-created&q=Once`);
    await tab.total('1 event').waitFor();
  });
});

describe('other tokens', () => {
  it('a token that is revoked while the page is open → sign-in with the reason, and then the same page', async () => {
    const token = await gateway.runCommand('token', 'create', '--name', 'short', '--role', 'VIEWER');
    await tab.open('/?flag=checkout', token.split(/\s+/).at(-1));
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
    await tab.expectSound(REJECTED);
    await tab.page.unroute('**/graphql');
    await tab.page.getByLabel('API token').fill(gateway.token);
    await tab.press('Enter');
    await tab.page.getByRole('heading', { name: /^Event \d+$/ }).waitFor();
  });

  it('a VIEWER of one project → its events, its rights in the header, and why it cannot invite', async () => {
    const token = await gateway.runCommand('token', 'create', '--name', 'labs', '--role', 'VIEWER', '--project', 'labs');
    await tab.open('/', token.split(/\s+/).at(-1));
    await tab.page.getByText('VIEWER, project labs').waitFor();
    await tab.rows.first().waitFor();
    expect(new Set(await tab.page.locator('.project-label').allInnerTexts())).toEqual(new Set(['labs']));
    await tab.page.getByRole('link', { name: 'Invite' }).click();
    await tab.page.getByText('This operation needs the ADMIN permission, which you do not have.').waitFor();
    await tab.expectSound();
    await tab.page.goto(`${gateway.url}/?project=payments`);
    await tab.page.getByText('This token sees the events of project labs.').waitFor();
    await tab.expectSound();
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
  ['light', 360],
  ['dark', 360],
  ['dark', 1280],
] as const)('%s, %i pixels', (colorScheme, width) => {
  it('each page → no violation, and nothing wider than the screen', async () => {
    await tab.close();
    tab = await openConsolePage(browser, gateway.url, { viewport: { width, height: 740 }, colorScheme, hasTouch: width === 360 });
    await tab.open('/', gateway.token);
    for (const [path, content] of PAGES) {
      await tab.page.goto(gateway.url + path);
      await tab.page.locator(content).first().waitFor();
      await tab.expectSound();
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
