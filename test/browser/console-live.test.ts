import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Browser } from 'playwright-core';
import { cleanUp } from '../../bench/cleanup.mjs';
import { startPostgres } from '../../bench/postgres.mjs';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.js';
import { startBrowser } from './browser.mjs';
import { type ConsolePage, openConsolePage } from './console-page.js';
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

const state = (text: string) => tab.page.getByRole('button', { name: text, exact: true });
const row = (flag: string) => tab.rows.filter({ hasText: flag });

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
  await tab.open('/', gateway.token);
  await row(`${flag}-0`).waitFor();
  await state('Live').waitFor();
}

describe('live events', () => {
  it('a new event → shown and marked for a moment, with the new total', async () => {
    await openLive('marked');
    const before = await tab.rows.count();
    await addEvent('marked-1');
    await tab.page.locator('.event-row[data-new]', { hasText: 'marked-1' }).waitFor();
    await tab.total(`${before + 1} events`).waitFor();
    await tab.page.locator('.event-row[data-new]').waitFor({ state: 'detached' });
    await tab.expectSound();
  });

  it('an event that is committed after later ones → both are shown', async () => {
    await openLive('late');
    const writer = await connect();
    await writer.query('BEGIN');
    await writer.query(INSERT, ['late-1']);
    await addEvent('late-2');
    await writer.query('COMMIT');
    await writer.end();
    await row('late-1').waitFor();
    await row('late-2').waitFor();
  });

  it('while an event is open → new ones wait until the person wants them', async () => {
    await openLive('open');
    await tab.rows.first().click();
    await tab.page.locator('.detail-sentence').waitFor();
    await state('Paused').waitFor();
    await addEvent('open-1');
    await state('Paused: 1 new').waitFor();
    expect(await row('open-1').count()).toBe(0);
    await tab.expectSound();
    await tab.page.getByRole('button', { name: '1 new event' }).click();
    await row('open-1').waitFor();
  });

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

  it('a range that has ended → off', async () => {
    await tab.open('/?until=2026-01-01', gateway.token);
    await state('Live is off').waitFor();
  });
});

describe('a database that is unavailable for ten seconds', () => {
  it('the reason in place of nothing that was shown, and all events once it is back, without a click', async () => {
    await openLive('away');
    await database.cut();
    await tab.filter.fill('flag:away-0');
    await tab.page.getByText('The events could not be loaded.').waitFor();
    expect(await tab.rows.count()).toBeGreaterThan(0);
    await tab.expectSound(UNAVAILABLE);
    await database.restore();
    await tab.total('1 event').waitFor();
    await tab.page.getByText('could not be loaded').waitFor({ state: 'detached' });
    await state('Live').waitFor();
  });
});
