// Run by hand, after `npm run build`: writes the pictures of the console in docs, from the log of the demo.
import { fileURLToPath } from 'node:url';
import { startBrowser } from './browser.mjs';
import { startDemo } from './recorded-gateway.mjs';

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };

const gateway = await startDemo();
let browser;
try {
  browser = await startBrowser();
  await take('console.png', '/?flag=checkout', DESKTOP, 'light', async (page) => {
    await page.locator('.event-row[data-event]').nth(2).click();
    await page.locator('.changes').waitFor();
  });
  await take('console-dark.png', '/', DESKTOP, 'dark');
  await take('console-flag.png', '/flags/checkout', DESKTOP, 'light', (page) => page.locator('.conclusion a').first().waitFor());
  await take('console-phone.png', '/?env=production&since=30d', PHONE, 'light');
} finally {
  await browser?.close();
  await gateway.stop();
}

/** Writes the picture of a page once its list, its numbers and the stream of new events are there. */
async function take(name, path, viewport, colorScheme, prepare = async () => undefined) {
  const context = await browser.newContext({ viewport, colorScheme, timezoneId: 'UTC' });
  const page = await context.newPage();
  await page.addInitScript(`sessionStorage.setItem('flag-admin-gateway:api-token', '${gateway.token}')`);
  await page.goto(gateway.url + path);
  await page.locator('.event-row[data-event]').first().waitFor();
  await page.locator('.total', { hasText: 'event' }).waitFor();
  await page.locator('.day-count').first().waitFor();
  if (!path.startsWith('/flags')) await page.getByRole('button', { name: 'Live', exact: true }).waitFor();
  await prepare(page);
  await page.mouse.move(1, viewport.height - 1);
  const file = fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));
  await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
  await context.close();
}
