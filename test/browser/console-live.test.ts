import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Browser } from 'playwright-core';
import { cleanUp } from '../../bench/cleanup.mjs';
import { startPostgres } from '../../bench/postgres.mjs';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.js';
import { startBrowser } from './browser.mjs';
import { type ConsolePage, type Hand, openConsolePage } from './console-page.js';
import { type DemoGateway, startEmptyGateway } from './recorded-gateway.mjs';
import { type GatewayProxy, startProxy } from './start-proxy.js';

const UNAVAILABLE = 'Failed to load resource: the server responded with a status of 503 (Service Unavailable)';

let databaseUrl: string;
let database: DatabaseProxy;
let gateway: DemoGateway;
let proxy: GatewayProxy;
let browser: Browser;
let tab: ConsolePage;

beforeAll(async () => {
  databaseUrl = (await startPostgres([], { fsync: 'off' })).urlOf('postgres');
  database = await startDatabaseProxy(databaseUrl);
  gateway = await startEmptyGateway({ DATABASE_URL: database.url });
  proxy = await startProxy(gateway.url);
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await proxy?.stop();
  await gateway?.stop();
  await database?.cut();
  await cleanUp();
});
beforeEach(async () => {
  tab = await openConsolePage(browser, proxy.url);
});
afterEach(() => tab.close());

const state = (text: string, { page } = tab) => page.getByRole('button', { name: text, exact: true });
const row = (flag: string, { rows } = tab) => rows.filter({ hasText: flag });

const INSERT = `INSERT INTO events (type, created_by, feature_name) VALUES ('feature-created', 'ada', $1)`;

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return client;
}

async function addEvent(flag: string): Promise<void> {
  const client = await connect();
  await client.query(INSERT, [flag]);
  await client.end();
}

/** Opens the list with one event, and waits for the stream. */
async function openLive(flag: string): Promise<void> {
  await addEvent(`${flag}-0`);
  await openList(flag, tab);
}

async function openList(flag: string, shown: ConsolePage): Promise<void> {
  await shown.open('/', gateway.token);
  await row(`${flag}-0`, shown).waitFor();
  await state('Live', shown).waitFor();
}

describe('live events', () => {
  it('a new event → shown and marked for a moment, with the new total', async () => {
    await openLive('marked');
    const before = await tab.rows.count();
    // The mark lasts three seconds, so the wait for it begins first.
    const marked = tab.page.locator('.event-row[data-new]', { hasText: 'marked-1' }).waitFor();
    await Promise.all([marked, addEvent('marked-1')]);
    await tab.total(`${before + 1} events`).waitFor();
    await tab.page.locator('.event-row[data-new]').waitFor({ state: 'detached' });
    await tab.expectSound();
  });

  it.each(['mouse', 'keyboard'] as const)(
    'a late commit while a person reads, by the %s → the events wait, and then all are shown',
    async (hand) => {
      const flag = `late-${hand}`;
      await openLive(flag);
      if (hand === 'mouse') await tab.rows.first().click();
      else await tab.press('j');
      await state('Paused').waitFor();
      const writer = await connect();
      await writer.query('BEGIN');
      await writer.query(INSERT, [`${flag}-1`]);
      await addEvent(`${flag}-2`);
      await writer.query('COMMIT');
      await writer.end();
      await state('Paused: 2 new').waitFor();
      expect(await row(`${flag}-2`).count()).toBe(0);
      if (hand === 'mouse') await tab.expectSound();
      await (hand === 'mouse' ? tab.page.getByRole('button', { name: '2 new events' }).click() : tab.press('n'));
      await row(`${flag}-1`).waitFor();
      await row(`${flag}-2`).waitFor();
    },
  );

  it('a broken connection → Reconnecting, and then the events of the meantime', async () => {
    await openLive('broken');
    proxy.cut();
    await state('Reconnecting').waitFor();
    await addEvent('broken-1');
    proxy.restore();
    await row('broken-1').waitFor();
    await state('Live').waitFor();
  });

  it('l → off and on again, with the events of the meantime', async () => {
    await openLive('off');
    await tab.press('l');
    await state('Live is off').waitFor();
    await addEvent('off-1');
    await tab.press('l');
    await row('off-1').waitFor();
  });

  it('l in the dialog of the shortcuts, and in an open menu → it stays live', async () => {
    await openLive('dialog');
    await tab.press('?', 'l', 'Escape');
    await tab.page.locator('dialog[open]').waitFor({ state: 'detached' });
    await addEvent('dialog-1');
    await row('dialog-1').waitFor();
    const menu = tab.page.locator('details.menu').first();
    await menu.locator('summary').click();
    await menu.locator('button').first().focus();
    await tab.press('l');
    await addEvent('dialog-2');
    await row('dialog-2').waitFor();
  });

  it('a range that has ended → off', async () => {
    await tab.open('/?until=2026-01-01', gateway.token);
    await state('Live is off').waitFor();
  });
});

/** The database is unavailable for at least this long. */
const OUTAGE_MS = 10_000;

describe('a database that is unavailable for ten seconds', () => {
  it('the rows stay with the reason, and all is well once it is back, without a reload', async () => {
    const byKeyboard = await openConsolePage(browser, proxy.url);
    const tabs: readonly (readonly [Hand, ConsolePage])[] = [
      ['mouse', tab],
      ['keyboard', byKeyboard],
    ];
    await addEvent('away-0');
    for (const [, shown] of tabs) {
      // The list has only the rows of the viewport, and the notice takes some of its height.
      await shown.page.setViewportSize({ width: 1280, height: 2000 });
      await openList('away', shown);
    }
    await database.cut();
    const outage = setTimeout(OUTAGE_MS);
    for (const [hand, shown] of tabs) {
      const before = await shown.rows.count();
      await (hand === 'mouse' ? shown.filter.click() : shown.press('/'));
      await shown.page.keyboard.type('flag:away-0 ');
      await shown.page.getByText('The events could not be loaded.').waitFor();
      await state('Reconnecting', shown).waitFor();
      expect(await shown.rows.count()).toBe(before);
      const notice = shown.page.locator('.notice', { hasText: 'The events could not be loaded.' });
      const retry = notice.getByRole('button', { name: 'Retry' });
      await shown.use(hand, retry);
      if (hand === 'keyboard') await notice.locator('button:focus').waitFor();
      else await shown.expectSound(UNAVAILABLE);
    }
    await outage;
    for (const [, shown] of tabs) await shown.page.getByText('The events could not be loaded.').waitFor();
    await database.restore();
    for (const [, shown] of tabs) {
      await shown.total('1 event').waitFor();
      await shown.page.getByText('could not be loaded').waitFor({ state: 'detached' });
      await state('Live', shown).waitFor();
      shown.expectQuiet(UNAVAILABLE);
    }
    await byKeyboard.close();
  });
});
