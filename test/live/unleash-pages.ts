import { readFile } from 'node:fs/promises';
import type { Browser, Page, Response } from 'playwright-core';

/** The parts of an event that only Unleash returns (docs/differences.md). */
const ONLY_IN_UNLEASH = ['groupId', 'groupType', 'label', 'summary'];

export type WireEvent = Readonly<Record<string, unknown>>;

export interface User {
  readonly email: string;
  readonly password: string;
}

/** Opens a new browser profile, and logs in on the page of Unleash's UI. */
export async function logIn(browser: Browser, base: string, { email, password }: User): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 1000 }, acceptDownloads: true });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  // The page loads fonts of another host, which a test must not depend on.
  await page.route('https://**', (route) => route.abort());
  await page.goto(`${base}/login`);
  await page.locator('input[name=username]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.getByRole('button', { name: /sign in/i }).click();
  await page.waitForURL(({ pathname }) => !pathname.includes('login'));
  return page;
}

/** Whether the response came from the gateway. */
export const isFromGateway = (response: Response): boolean => response.headers()['x-request-id'] !== undefined;

/** Opens a page with a log. Returns what the page received, and what it shows of that. */
export async function openLog(page: Page, url: string) {
  // The page before may also search events. Its late response must not be taken for that of this page.
  await page.goto('about:blank');
  const searched = page.waitForResponse((response) => response.url().includes('/api/admin/search/events?'));
  await page.goto(url);
  const response = await searched;
  const { events, total } = (await response.json()) as { events: WireEvent[]; total: number };
  await page
    .getByText('Event id:')
    .nth(events.length - 1)
    .waitFor();
  const text = await page.locator('body').innerText();
  return {
    isFromGateway: isFromGateway(response),
    url: response.url().slice(new URL(response.url()).origin.length),
    total,
    events: withoutExtras(events),
    shown: text
      .slice(text.search(/Event log \(/i), text.indexOf('Unleash Open Source'))
      // Since version 8, the page shows `groupId`.
      .replaceAll(/^Group id:\n.*\n/gm, ''),
  };
}

/** Clicks on "Export" and one of its formats. */
export async function exportLog(page: Page, format: 'CSV' | 'JSON'): Promise<{ name: string; text: string }> {
  await page.getByRole('button', { name: 'Export' }).click();
  const downloaded = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: `Export as ${format}` }).click();
  const download = await downloaded;
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

/** Creates an invite link as an administrator does on the page. Masks what differs between any two links. */
export async function createInviteLink(page: Page, base: string) {
  await page.goto(`${base}/admin/users`);
  await page.getByRole('button', { name: 'Create invite link' }).click();
  // The URL changes before the page does, and both pages have a button of this name.
  await page.getByText('Expiration period').first().waitFor();
  const created = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().endsWith('/tokens'),
  );
  await page.getByRole('button', { name: 'Create invite link' }).click();
  const response = await created;
  const { secret, createdAt: _, expiresAt, role, ...token } = (await response.json()) as Record<string, unknown>;
  const dialog = page.getByRole('dialog').filter({ hasText: 'Invite link created' }).first();
  const { id, name, type } = role as Record<string, unknown>;
  const mask = (text: string) => text.replaceAll(String(secret), '(secret)').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '(time)');
  const content = {
    status: response.status(),
    token: JSON.parse(mask(JSON.stringify({ ...token, role: { id, name, type } }))),
    isForTheRequestedTime: expiresAt === response.request().postDataJSON().expiresAt,
    dialog: mask(await dialog.innerText()),
  };
  await page.goto(`${base}/admin/invite-link`);
  await page.getByRole('button', { name: 'Delete link' }).waitFor();
  const text = mask(await page.locator('body').innerText());
  const shown = text.slice(text.indexOf('Expiration period'), text.indexOf('Unleash Open Source'));
  return { isFromGateway: isFromGateway(response), secret: String(secret), content: { ...content, shown } };
}

export function withoutExtras(events: readonly WireEvent[]): WireEvent[] {
  return events.map((event) => Object.fromEntries(Object.entries(event).filter(([name]) => !ONLY_IN_UNLEASH.includes(name))));
}

/** Returns the columns of a CSV and its number of lines. Unleash's UI derives the columns from the events. */
export function summarizeCsv(text: string): { columns: string[]; lines: number } {
  const [header = '', ...lines] = text.trim().split('\n');
  return {
    columns: header
      .split(',')
      .filter((name) => !ONLY_IN_UNLEASH.includes(name))
      .sort(),
    lines: lines.length,
  };
}
