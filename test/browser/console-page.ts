import { AxeBuilder } from '@axe-core/playwright';
import { expect } from '@jest/globals';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { waitUntil } from '../support/wait-until.js';
import { type PageWatch, watchPage } from './watch-page.js';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** How a person works: with the mouse, or with the keyboard alone. A text is typed in both cases. */
export type Hand = 'mouse' | 'keyboard';

/** More controls than a page has before its list. */
const MOST_TABS = 60;

export type ConsolePage = Awaited<ReturnType<typeof openConsolePage>>;

/** A tab for the console at `root`, which is a URL without a slash at its end. */
export async function openConsolePage(browser: Browser, root: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    timezoneId: 'UTC',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const page: Page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const watch: PageWatch = await watchPage(page);
  /** Moves the focus to a control by Tab. */
  const goTo = async (control: Locator): Promise<void> => {
    await control.waitFor();
    for (let tabs = 0; tabs <= MOST_TABS; tabs += 1) {
      if (await control.evaluate((element) => element === element.ownerDocument.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`${control} cannot be reached by Tab.`);
  };
  /**
   * Checks that the browser has printed no error, nothing breaks the content security policy, and no other host gets a request.
   * @param expected the one error that the browser may have printed
   */
  const expectQuiet = (expected?: string): void => {
    expect(watch.errors.filter((error) => error !== expected)).toEqual([]);
    const hosts = new Set(watch.requests.map((request) => new URL(request.url()).origin));
    // A downloaded file has a URL of its own, without an origin.
    hosts.delete('null');
    expect([...hosts]).toEqual([new URL(root).origin]);
  };
  return {
    page,
    watch,
    rows: page.locator('.event-row[data-event]'),
    /** The day of the newest event, which is some minutes older than the start of the demo; the day before can be in view too. */
    newestDay: page.getByRole('heading', { name: /^(Today|Yesterday)/ }).first(),
    total: (text: string | RegExp) => page.locator('.total').getByText(text, { exact: true }),
    filter: page.getByRole('combobox', { name: 'Filter' }),
    /** Opens a path as a user whose token is in the tab already. */
    async open(path: string, token?: string) {
      if (token !== undefined) await page.addInitScript(`sessionStorage.setItem('flag-admin-gateway:api-token', '${token}')`);
      await page.goto(root + path);
    },
    /** Goes to a path without loading the document again, as a link of the console does. */
    visit: (path: string) =>
      page.evaluate(`history.pushState(null, '', ${JSON.stringify(new URL(root).pathname.replace(/\/$/, '') + path)})`),
    press: (...keys: readonly string[]) =>
      keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve()),
    /** Submits a form by Enter, which does nothing before the button of the form is enabled. */
    async submit(): Promise<void> {
      await page.locator('button[type=submit].is-primary:enabled').waitFor();
      await page.keyboard.press('Enter');
    },
    /** Clicks a control, or goes to it by Tab and presses Enter. */
    async use(hand: Hand, control: Locator): Promise<void> {
      if (hand === 'mouse') return control.click();
      await goTo(control);
      await page.keyboard.press('Enter');
    },
    goTo,
    /** Returns the text that `act` copies. */
    async copied(act: () => Promise<unknown>): Promise<string> {
      const readText = () => page.evaluate('navigator.clipboard.readText()') as Promise<string>;
      await page.evaluate("navigator.clipboard.writeText('')");
      await act();
      await waitUntil('a text is copied', async () => (await readText()) !== '');
      return readText();
    },
    /**
     * Checks that nothing breaks a rule of WCAG 2.2 AA, and that the page is quiet (`expectQuiet`).
     * @param expected the one error that the browser may have printed
     */
    async expectSound(expected?: string) {
      // A list is faded while the next one loads.
      await page.locator('[data-stale]').waitFor({ state: 'detached' });
      // Without frames, the legacy mode finds the same and opens no second page.
      const { violations } = await new AxeBuilder({ page })
        .setLegacyMode()
        .options({ resultTypes: ['violations'] })
        .withTags(TAGS)
        .analyze();
      expect(violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))).toEqual([]);
      expectQuiet(expected);
    },
    expectQuiet,
    /** Checks that nothing is wider than the screen. */
    async expectFit() {
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    },
    close: () => context.close(),
  };
}
