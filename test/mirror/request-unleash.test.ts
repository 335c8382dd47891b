import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createRequestUnleash } from '../../src/log-copy/request-unleash.js';
import { startHttpServer } from '../support/http-server.js';

let retryAfter: string | undefined;
let server: Awaited<ReturnType<typeof startHttpServer>>;
beforeEach(async () => {
  server = await startHttpServer((_, response) => {
    response.writeHead(503, { ...(retryAfter !== undefined && { 'retry-after': retryAfter }) }).end();
  });
});
afterEach(() => server.stop());

/** Sends a request to a server that is unavailable, and returns the delay before the first retry. */
async function readDelay(header: string | undefined): Promise<number> {
  retryAfter = header;
  const stop = new AbortController();
  let delay = Number.NaN;
  const request = createRequestUnleash({
    url: server.url,
    token: 'secret',
    signal: stop.signal,
    onRetry(_reason, inMs) {
      delay = inMs;
      stop.abort();
    },
  });
  await expect(request('/')).rejects.toThrow(/abort/);
  return delay;
}

test.each([
  ['7', 7_000],
  ['9999999', 300_000],
])('retry-after: %s → a delay of %i ms', async (header, expected) => {
  expect(await readDelay(header)).toBe(expected);
});

test('retry-after with a date → a delay until then', async () => {
  // A date has whole seconds.
  const delay = await readDelay(new Date(Date.now() + 60_000).toUTCString());
  expect(delay).toBeGreaterThan(30_000);
  expect(delay).toBeLessThanOrEqual(60_000);
});

test.each([undefined, 'soon', '', '0', '1.5', '-1', new Date(0).toUTCString()])(
  'retry-after: %s → the delay of the first retry',
  async (header) => {
    const delay = await readDelay(header);
    expect(delay).toBeGreaterThanOrEqual(250);
    expect(delay).toBeLessThanOrEqual(500);
  },
);
