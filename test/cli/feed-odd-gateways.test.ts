import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { readFeed } from '../../src/feed-client/feed-client.js';
import { followFeed } from '../../src/feed-client/follow-feed.js';
import { readLimitedBody } from '../../src/feed-client/limited-body.js';
import { readLines } from '../../src/feed-client/read-lines.js';
import { startHttpServer } from '../support/http-server.js';

const EVENT = '{"cursor":"a","event":{"id":1}}\n';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  jest.useRealTimers();
  for (const stop of stops.splice(0)) await stop();
});

async function startOptions(respond: (response: ServerResponse) => void) {
  const server = await startHttpServer((_, response) => respond(response));
  stops.push(() => server.stop());
  const stop = new AbortController();
  return { stop, url: server.url, token: 'token', filter: new URLSearchParams(), once: true, signal: stop.signal };
}

/** Follows a server until the client retries or ends. Returns the events, the retry and the error. */
async function follow(respond: (response: ServerResponse) => void) {
  const { stop, ...options } = await startOptions(respond);
  const events: string[] = [];
  let retry: { reason: string; inMs: number } | null = null;
  const error = await followFeed({
    ...options,
    after: 'start',
    onLines: async (lines) => void events.push(...lines.events),
    onRetry(reason, inMs) {
      retry = { reason, inMs };
      stop.abort();
    },
  }).then(
    () => null,
    (thrown: Error) => thrown,
  );
  return { events, retry, error };
}

describe('feed, from a server that misbehaves', () => {
  test.each(['9999999', 'Infinity'])('retry-after: %s → a wait of 5 minutes', async (seconds) => {
    const { retry } = await follow((response) => response.writeHead(503, { 'retry-after': seconds }).end('{}'));
    expect(retry).toMatchObject({ inMs: 300_000 });
  });

  test('a stream that ends at once, again and again → a pause before each request', async () => {
    const times: number[] = [];
    const { stop, ...options } = await startOptions((response) => {
      times.push(performance.now());
      response.end('{"cursor":"a","upToDate":false}\n');
      if (times.length === 3) stop.abort();
    });
    const following = followFeed({ ...options, after: 'start', onLines: async () => undefined, onRetry: () => undefined });
    await expect(following).rejects.toThrow(/abort/);
    expect(Number(times[2]) - Number(times[0])).toBeGreaterThan(900);
  });

  test('--after now, and a first request that fails → the second one asks for the events since a minute before it', async () => {
    const starts: string[] = [];
    const server = await startHttpServer(({ url = '' }, response) => {
      starts.push(new URL(url, 'http://gateway').searchParams.get('after') ?? '');
      if (starts.length < 3) return response.writeHead(503, { 'retry-after': '0' }).end('{}');
      response.end('{"cursor":"a","upToDate":true}\n');
    });
    stops.push(() => server.stop());
    const before = Date.now();
    await followFeed({
      url: server.url,
      token: 'token',
      filter: new URLSearchParams(),
      once: true,
      signal: new AbortController().signal,
      after: 'now',
      onLines: async () => undefined,
      onRetry: () => undefined,
    });
    const [first, second = '', third] = starts;
    expect([first, third]).toEqual(['now', second]);
    expect(second).toBe(new Date(second).toISOString());
    // The retry begins a minute earlier, because the clock of the client may be ahead.
    expect(Date.parse(second)).toBeGreaterThanOrEqual(before - 60_000);
    expect(Date.parse(second)).toBeLessThanOrEqual(Date.now() - 60_000);
  });

  test.each([
    [
      { oldest: 'a-1', newest: 'b_2' },
      /put one of these cursors into it: a-1 for all events of the log, or b_2 for those to come\.$/,
    ],
    [{ oldest: 'a-1', newest: '\u001b[2J' }, /put the text of another cursor into it\.$/],
    [{}, /put the text of another cursor into it\.$/],
    [null, /put the text of another cursor into it\.$/],
  ])('410 with the body %j → the cursors for a new start', async (body, message) => {
    const { error } = await follow((response) => response.writeHead(410).end(JSON.stringify(body)));
    expect(error?.message).toMatch(message);
  });

  test('an error whose message has escape sequences and is long → blanks, and cut', async () => {
    const message = `\u001b]0;title\u0007\u009b2J${'x'.repeat(1_000)}`;
    const { error } = await follow((response) => response.writeHead(400).end(JSON.stringify({ message })));
    expect(error?.message).toMatch(/rejects the request \(400\): {2}\]0;title {2}2Jx+…$/);
    expect(error?.message.length).toBeLessThan(600);
  });

  test('an error with a body of more than 1 MB → its status', async () => {
    const body = JSON.stringify({ message: 'x'.repeat(2_000_000) });
    const { retry } = await follow((response) => response.writeHead(503).end(body));
    expect(retry).toMatchObject({ reason: 'it responded with 503' });
  });

  test('a raw control character in a line → an error, and no line', async () => {
    const { events, error } = await follow((response) => response.end('{"cursor":"a","event":{"a":"\u001b[2J"}}\n'));
    expect(events).toEqual([]);
    expect(error?.message).toMatch(/is not a feed of events/);
  });

  test('a tab between two tokens, which JSON allows → a blank', async () => {
    const end = '{"cursor":"b","upToDate":true}\n';
    const { events } = await follow((response) => response.end(`{"cursor":"a","event":{"a":\t1}}\n${end}`));
    expect(events).toEqual(['{"a": 1}']);
  });

  test('a control character that JSON allows → the same JSON text, escaped', async () => {
    const event = JSON.stringify({ a: '\u007f\u009b2J' });
    const end = '{"cursor":"b","upToDate":true}\n';
    const { events } = await follow((response) => response.end(`{"cursor":"a","event":${event}}\n${end}`));
    expect(events).toEqual(['{"a":"\\u007f\\u009b2J"}']);
    expect(events.map((text) => JSON.parse(text))).toEqual([JSON.parse(event)]);
  });

  test('a consumer that takes longer than a gateway may be silent → the rest of the stream', async () => {
    let open: ServerResponse | undefined;
    const options = await startOptions((response) => {
      open = response;
      response.write(EVENT);
    });
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance', 'Date'] });
    const events: string[] = [];
    for await (const lines of readFeed(options, 'start')) {
      events.push(...lines.events);
      jest.advanceTimersByTime(60_000);
      if (events.length === 1) open?.end(EVENT);
    }
    expect(events).toEqual(['{"id":1}', '{"id":1}']);
  });
});

describe('limits of a response', () => {
  const bytes = (...texts: readonly string[]) => texts.map((text) => new TextEncoder().encode(text));
  const read = async (...texts: readonly string[]) => {
    const lines: string[] = [];
    for await (const found of readLines(bytes(...texts), 8, () => new Error('too long'))) lines.push(...found);
    return lines;
  };

  test('lines over several chunks → whole lines, without the last one that has no end', async () => {
    expect(await read('a', 'bc\nd\n', '', 'e', 'f\n\ng')).toEqual(['abc', 'd', 'ef', '']);
  });

  test('a line that does not end within the limit → an error', async () => {
    await expect(read('a\n12345678', '9')).rejects.toThrow('too long');
  });

  test('a body → its text, or null above the limit', async () => {
    expect(await readLimitedBody(new Response('äb'), 3)).toBe('äb');
    expect(await readLimitedBody(new Response('äbc'), 3)).toBeNull();
    expect(await readLimitedBody(new Response(null), 3)).toBe('');
  });
});
