import { startBrowser } from '../test/browser/browser.mjs';
import { addEvent } from './added-events.mjs';
import { TOKEN } from './gateway.mjs';
import { withClient } from './postgres.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {{heapBytes: number, nodes: number, rows: number}} PageSize rows: number of events in the document */
/**
 * @typedef {object} ConsoleFigures
 * @property {number[]} firstRowsMs times from the request of the page to the frame after its first rows
 * @property {number[]} frameMs times between frames while the list is scrolled
 * @property {number} scrolled number of events that were scrolled through
 * @property {PageSize} before
 * @property {PageSize} middle after half of the events
 * @property {PageSize} after
 */

/** The loads before the measured ones, which fill the caches of the browser and of PostgreSQL. */
const WARM_LOADS = 3;
export const LOADS = 20;

/** A turn of the wheel, in pixels: about a page of 50 events. */
const WHEEL = 2_000;

/** The list forgets the events of a page five seconds after the page has left the view. */
const FORGOTTEN_MS = 6_000;

/** The scrolling fails if no further event appears for this long. */
const STALLED_MS = 60_000;

/** Records the time from the request of the page to its first rows, and on demand the time of each frame. */
const OBSERVE = `
  sessionStorage.setItem('flag-admin-gateway:api-token', '${TOKEN}');
  window.firstRows = new Promise((resolve) => {
    const look = () => document.querySelector('.event-row[data-event]')
      ? requestAnimationFrame(() => resolve(performance.now())) : requestAnimationFrame(look);
    look();
  });
  window.recordFrames = () => {
    const frames = (window.frameTimes = []);
    const note = (time) => { frames.push(time); window.frameTimes && requestAnimationFrame(note); };
    requestAnimationFrame(note);
  };`;

const LAST_ROW = `Math.max(...[...document.querySelectorAll('[aria-posinset]')].map((row) => Number(row.ariaPosInSet)))`;

/**
 * Opens the console in Chromium, and scrolls through its list by the wheel.
 * @param {string} url of a running gateway
 * @param {{databaseUrl: string, events: number}} log events: to scroll through
 * @param {(progress: string) => void} tell
 * @returns {Promise<ConsoleFigures>}
 */
export async function measureConsole(url, { databaseUrl, events }, tell) {
  const browser = await startBrowser();
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, timezoneId: 'UTC' });
    const page = await context.newPage();
    page.setDefaultTimeout(STALLED_MS);
    await page.addInitScript(OBSERVE);
    tell('first rows of the console');
    const firstRowsMs = await measureFirstRows(page, url, databaseUrl);
    tell(`scrolling through ${events} events`);
    return { firstRowsMs, ...(await measureScrolling(page, databaseUrl, events)) };
  } finally {
    await browser.close();
  }
}

/** Adds an event before each load, so that the gateway has no response that it could repeat. @type {(page: Page, url: string, databaseUrl: string) => Promise<number[]>} */
async function measureFirstRows(page, url, databaseUrl) {
  const times = await withClient(databaseUrl, async (client) => {
    const all = [];
    for (let load = 0; load < WARM_LOADS + LOADS; load += 1) {
      await addEvent(client);
      await page.goto(url);
      all.push(Number(await page.evaluate('window.firstRows')));
    }
    return all;
  });
  return times.slice(WARM_LOADS);
}

/** @type {(page: Page, databaseUrl: string, events: number) => Promise<Omit<ConsoleFigures, 'firstRowsMs'>>} */
async function measureScrolling(page, databaseUrl, events) {
  const half = Math.floor(events / 2);
  const before = await measureSize(page);
  await page.mouse.move(400, 600);
  const first = await scrollTo(page, half);
  const middle = await measureSize(page);
  const second = await scrollTo(page, events);
  const after = await measureSize(page);
  await checkEnds(page, databaseUrl, events);
  return { frameMs: [...first, ...second], scrolled: events, before, middle, after };
}

/** Turns the wheel until an event is in the document. Returns the times between frames. @type {(page: Page, event: number) => Promise<number[]>} */
async function scrollTo(page, event) {
  await page.evaluate('window.recordFrames()');
  let [last, movedAt] = [0, performance.now()];
  while (last < event) {
    await page.mouse.wheel(0, WHEEL);
    const now = Number(await page.evaluate(LAST_ROW));
    if (now > last) [last, movedAt] = [now, performance.now()];
    if (performance.now() - movedAt > STALLED_MS) throw new Error(`The list stopped at event ${last} of ${event}.`);
  }
  const times = /** @type {number[]} */ (
    await page.evaluate('(() => { const times = window.frameTimes; window.frameTimes = null; return times; })()')
  );
  return times.slice(1).map((time, index) => time - (times[index] ?? time));
}

/** Counts what the page holds after its garbage was collected. @type {(page: Page) => Promise<PageSize>} */
async function measureSize(page) {
  await page.waitForTimeout(FORGOTTEN_MS);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  await session.detach();
  const read = (/** @type {string} */ name) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { heapBytes: read('JSHeapUsedSize'), nodes: read('Nodes'), rows: await page.locator('.event-row[data-event]').count() };
}

const EVENT_AT = 'SELECT id FROM events ORDER BY created_at DESC, id DESC OFFSET $1 LIMIT 1';

/** @throws if the place that was reached, or the top of the list, shows another event than the log has there */
async function checkEnds(/** @type {Page} */ page, /** @type {string} */ databaseUrl, /** @type {number} */ events) {
  for (const place of [events, 1]) {
    const id = await withClient(databaseUrl, async (client) => (await client.query(EVENT_AT, [place - 1])).rows[0]?.id);
    if (place === 1) await page.evaluate('scrollTo(0, 0)');
    const row = page.locator(`[aria-posinset="${place}"] .event-row`);
    await row.waitFor({ state: 'attached' });
    const shown = await row.getAttribute('data-event');
    if (shown !== String(id)) throw new Error(`The list shows event ${shown} at place ${place}, where the log has event ${id}.`);
  }
}
