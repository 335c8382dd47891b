import { AxeBuilder } from '@axe-core/playwright';
import { expect } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type PageWatch, watchPage } from './watch-page.js';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

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
  return {
    page,
    watch,
    rows: page.locator('.event-row[data-event]'),
    total: (text: string | RegExp) => page.locator('.total').getByText(text),
    filter: page.getByRole('combobox', { name: 'Filter' }),
    /** Opens a path as a user whose token is in the tab already. */
    async open(path: string, token?: string) {
      if (token !== undefined) await page.addInitScript(`sessionStorage.setItem('flag-admin-gateway:api-token', '${token}')`);
      await page.goto(root + path);
    },
    press: (...keys: readonly string[]) =>
      keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve()),
    clipboard: () => page.evaluate('navigator.clipboard.readText()') as Promise<string>,
    /**
     * Nothing breaks a rule of WCAG 2.2 AA or the content security policy, and no other host gets a request.
     * @param expected the one error that the browser may have printed
     */
    async expectSound(expected?: string) {
      const { violations } = await new AxeBuilder({ page })
        .options({ resultTypes: ['violations'] })
        .withTags(TAGS)
        .analyze();
      expect(violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))).toEqual([]);
      expect(watch.errors.filter((error) => error !== expected)).toEqual([]);
      const hosts = new Set(watch.requests.map((request) => new URL(request.url()).origin));
      // A downloaded file has a URL of its own, without an origin.
      hosts.delete('null');
      expect([...hosts]).toEqual([new URL(root).origin]);
    },
    /** Nothing is wider than the screen. */
    async expectFit() {
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    },
    close: () => context.close(),
  };
}
