import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { watchMirror } from '../../src/log-copy/mirror-age.js';
import { installFakeClock, removeFakeClock } from '../support/clock.js';
import { type RequestOptions, startTestGateway, type TestGateway } from '../support/test-gateway.js';
import { waitUntil } from '../support/wait-until.js';

const GRAPHQL = `/graphql?query=${encodeURIComponent('{ events(first: 1) { nodes { id } } }')}`;
const FROM_LOG = ['/api/admin/search/events?limit=1', '/api/admin/events/checkout', GRAPHQL];
const HEADER = 'mirror-complete-at';

describe('a gateway on a copy of an Unleash log', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('log', {}, { readMirrorEveryMs: 20 });
  });
  afterAll(() => gateway.stop());

  /** Sets the row that `mirror` writes, and waits until the gateway has read it. @param completeAgo in seconds */
  const setMirror = async (completeAgo: number | null, upTo: number | null = 7) => {
    await gateway.prisma.$executeRaw`DELETE FROM gateway_mirror`;
    await gateway.prisma.$executeRaw`
      INSERT INTO gateway_mirror (source, responded_at, complete_at, complete_up_to)
      VALUES ('https://unleash.example.com', now(), now() - make_interval(secs => ${completeAgo}::float8), ${upTo}::int)`;
    const { respondedAt, completeAt } = await gateway.prisma.mirror.findFirstOrThrow();
    const expected = {
      lastResponseAt: respondedAt?.toISOString(),
      completeAt: completeAt?.toISOString() ?? null,
      completeUpTo: upTo,
    };
    const hasRead = async () => JSON.stringify((await ready()).mirror) === JSON.stringify(expected);
    await waitUntil('the gateway has read the row of the mirror', hasRead);
    return expected;
  };
  const ready = async () => {
    const { status, body } = await gateway.send('/readyz', { token: null });
    expect(status).toBe(200);
    return body;
  };
  const readMetrics = async () =>
    (await gateway.send('/metrics', { token: null })).text.split('\n').filter((line) => line.startsWith('gateway_mirror_'));

  test('no copy → nothing of it in /readyz, in the metrics and in headers', async () => {
    expect(await ready()).toEqual({ status: 'ok' });
    expect(await readMetrics()).toEqual([]);
    for (const path of FROM_LOG) expect((await gateway.send(path)).headers).not.toHaveProperty(HEADER);
  });

  test('up to date → the times in /readyz and in the metrics, and no header', async () => {
    const { lastResponseAt, completeAt } = await setMirror(3);
    expect(await readMetrics()).toEqual([
      `gateway_mirror_last_response_timestamp_seconds ${Date.parse(lastResponseAt ?? '') / 1000}`,
      `gateway_mirror_complete_timestamp_seconds ${Date.parse(completeAt ?? '') / 1000}`,
      'gateway_mirror_complete_up_to_id 7',
    ]);
    for (const path of FROM_LOG) {
      const { headers } = await gateway.send(path);
      expect(headers).not.toHaveProperty(HEADER);
      expect((await gateway.send(path, { headers: { 'if-none-match': String(headers.etag) } })).status).toBe(304);
    }
  });

  test.each<[string, string, RequestOptions]>([
    ...FROM_LOG.flatMap((path): [string, string, RequestOptions][] => [
      ['GET', path, {}],
      ...(path === GRAPHQL ? [] : ([['HEAD', path, { method: 'HEAD' }]] as [string, string, RequestOptions][])),
    ]),
    [
      'POST',
      '/graphql',
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"{ events { totalCount } }"}' },
    ],
  ])('old: %s %s → 200 with the header, for no cache to store', async (method, path, options) => {
    await setMirror(3);
    const { etag } = (await gateway.send(path, options)).headers;
    expect(etag !== undefined).toBe(method !== 'POST');
    const { completeAt } = await setMirror(120);
    const ifNoneMatch = etag === undefined ? {} : { 'if-none-match': String(etag) };
    const { status, headers } = await gateway.send(path, { ...options, headers: { ...options.headers, ...ifNoneMatch } });
    expect(status).toBe(200);
    expect(headers[HEADER]).toBe(completeAt);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers).not.toHaveProperty('etag');
  });

  test('old → no header without a token, and on what is not from the log', async () => {
    await setMirror(120);
    for (const path of ['/livez', '/readyz', '/openapi.json', '/api/admin/invite-link/tokens/unknown'])
      expect((await gateway.send(path)).headers).not.toHaveProperty(HEADER);
    for (const path of FROM_LOG) expect((await gateway.send(path, { token: null })).headers).not.toHaveProperty(HEADER);
  });

  test('old → agents get the time in the result', async () => {
    const { completeAt } = await setMirror(120);
    const params = { name: 'search_events', arguments: { limit: 1 } };
    const { body } = await gateway.postJson('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect(body.result.structuredContent.copyCompleteAt).toBe(completeAt);
    expect(body.result.content[0].text).toContain(`\nThe log is an old copy. It is complete up to: ${completeAt}.\n`);
  });

  test('the first copy is not complete → the header says so, and the metrics are 0', async () => {
    await setMirror(null, null);
    for (const path of FROM_LOG) expect((await gateway.send(path)).headers[HEADER]).toBe('never');
    expect(await readMetrics()).toEqual([
      expect.stringMatching(/^gateway_mirror_last_response_timestamp_seconds 1\d{9}/),
      'gateway_mirror_complete_timestamp_seconds 0',
      'gateway_mirror_complete_up_to_id 0',
    ]);
  });

  test('up to date again → no header, and an entity tag', async () => {
    await setMirror(120);
    await setMirror(3);
    for (const path of FROM_LOG) {
      const { headers } = await gateway.send(path);
      expect(headers).not.toHaveProperty(HEADER);
      expect(headers.etag).toBeDefined();
    }
  });
});

describe('the record of a mirror, as a gateway reads it', () => {
  const AGE = { lastResponseAt: null, completeAt: '2026-01-01T00:00:00.000Z', completeUpTo: 7, ageMs: 3_000 };
  let reads: number;
  let watch: Awaited<ReturnType<typeof watchMirror>>;
  beforeEach(async () => {
    installFakeClock();
    reads = 0;
    watch = await watchMirror(async <Row>() => {
      reads += 1;
      return [AGE] as Row[];
    });
  });
  afterEach(async () => {
    await watch.stop();
    removeFakeClock();
  });

  test('read at the start, and then every five seconds', async () => {
    expect(reads).toBe(1);
    await jest.advanceTimersByTimeAsync(4_900);
    expect(reads).toBe(1);
    await jest.advanceTimersByTimeAsync(200);
    expect(reads).toBe(2);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(reads).toBe(14);
    await watch.stop();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(reads).toBe(14);
  });

  test('older with each second, also with those of a pause of the machine', async () => {
    await jest.advanceTimersByTimeAsync(1_000);
    expect(watch.read()?.ageMs).toBe(4_000);
    // During a pause, `Date.now` goes on, and `performance.now` does not.
    jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    jest.setSystemTime(Date.now() + 3_600_000);
    expect(watch.read()?.ageMs).toBe(3_604_000);
  });
});
