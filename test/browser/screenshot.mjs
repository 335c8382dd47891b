// Run by hand, after `npm run build`: writes docs/graphiql.png, the picture in the README, from the log of the demo.
import { fileURLToPath } from 'node:url';
import { startBrowser } from './browser.mjs';
import { startDemo } from './recorded-gateway.mjs';

const PICTURE = fileURLToPath(new URL('../../docs/graphiql.png', import.meta.url));

const gateway = await startDemo();
let browser;
try {
  browser = await startBrowser();
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
  await page.goto(`${gateway.url}/graphiql`);
  await page.getByLabel('API token').fill(gateway.token);
  await page.keyboard.press('Enter');
  await page.getByText('Token accepted: ').waitFor();
  await page.getByRole('tab', { name: 'FlagHistory' }).click();
  await page.getByRole('region', { name: 'Variables' }).getByText('checkout').waitFor();
  await page.getByRole('button', { name: 'Execute query' }).click();
  await page.locator('.graphiql-response').getByText('"totalEvents"').waitFor();
  // The editor colors the query once its grammar has loaded; mtk1 is the class of plain text.
  await page.locator('.graphiql-query-editor .view-line span[class^=mtk]:not(.mtk1)', { hasText: 'createdAt' }).waitFor();
  await page.mouse.move(1, 799);
  await page.screenshot({ path: PICTURE, animations: 'disabled', caret: 'hide' });
} finally {
  await browser?.close();
  await gateway.stop();
}
