import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { followFeed } from '../../src/feed-client/follow-feed.js';
import { startHttpServer } from '../support/http-server.js';
import { recordedEvents } from '../support/recorded-log.js';
import { runCommand } from '../support/run-command.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';
import { waitUntil } from '../support/wait-until.js';

const byId = [...recordedEvents].sort((a, b) => a.id - b.id);
const eventsOf = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

describe('feed, from a running gateway', () => {
  let gateway: TestGateway;
  let folder: string;
  let state: string;
  let runs = 0;
  beforeAll(async () => {
    gateway = await startTestGateway('log');
    folder = await mkdtemp(path.join(tmpdir(), 'gateway-feed-'));
    await writeFile(path.join(folder, 'token'), `${gateway.viewerToken}\n`);
  });
  beforeEach(() => {
    runs += 1;
    state = path.join(folder, `state-${runs}`);
  });
  afterAll(async () => {
    await gateway.stop();
    await rm(folder, { recursive: true });
  });

  const run = (...args: readonly string[]) =>
    runCommand({}, [
      'feed',
      '--from',
      gateway.url,
      '--token-file',
      path.join(folder, 'token'),
      '--state',
      state,
      '--once',
      ...args,
    ]);
  const addEvent = async () =>
    (await gateway.prisma.event.create({ data: { type: 'feature-created', createdBy: 'later', project: 'default' } })).id;

  test('--once → every event as a line, and later only those that were added', async () => {
    const { code, stdout, stderr } = await run();
    expect([code, stderr]).toEqual([0, '']);
    expect(eventsOf(stdout)).toEqual(byId);
    expect(await run()).toEqual({ code: 0, stdout: '', stderr: '' });
    const id = await addEvent();
    expect(eventsOf((await run()).stdout).map((event) => event.id)).toEqual([id]);
  });

  test('a name with U+2028, which ends a line in JavaScript but not in JSON → one line', async () => {
    await gateway.prisma.event.create({ data: { type: 'feature-created', createdBy: 'a\u2028b\u2029c', project: 'separators' } });
    // The last run can end before the watermark of the log has passed the new event.
    let output = '';
    await waitUntil('the event is in the feed', async () => {
      const { code, stdout } = await run('--filter', 'project=IS:separators');
      expect(code).toBe(0);
      output += stdout;
      return output !== '';
    });
    expect(eventsOf(output).map(({ createdBy }) => createdBy)).toEqual(['a\u2028b\u2029c']);
  });

  test('--filter and --after → the events that match since then', async () => {
    const { stdout } = await run('--filter', 'project=IS:other-project', '--after', byId[100]?.createdAt ?? '');
    const ids = eventsOf(stdout).map(({ id }) => id);
    const expected = byId.filter(
      ({ project, createdAt }) => project === 'other-project' && createdAt >= (byId[100]?.createdAt ?? ''),
    );
    expect(ids).toEqual(expect.arrayContaining(expected.map(({ id }) => id)));
    expect(eventsOf(stdout).every(({ project }) => project === 'other-project')).toBe(true);
  });

  test('a cursor of another log → an error that says what to do, and no line', async () => {
    await writeFile(state, Buffer.from('1,2000000000,AAAAAAAA,0,').toString('base64url'));
    const { code, stdout, stderr } = await run();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^The cursor does not belong to the log of .*Remove the file of --state/);
  });

  test.each([
    ['a wrong token', ['--token-file', 'wrong-token'], 1, /does not recognize the token/],
    ['no token file', ['--token-file', 'none'], 1, /cannot be read \(ENOENT\)/],
    ['a wrong filter', ['--filter', 'project=default'], 1, /rejects the request \(400\): .*project must be IS:/],
    ['a filter without a name', ['--filter', 'default'], 2, /name=value/],
  ])('%s → an error', async (_, args, code, message) => {
    await writeFile(path.join(folder, 'wrong-token'), 'wrong');
    const result = await run(...args.map((arg) => (arg === 'wrong-token' || arg === 'none' ? path.join(folder, arg) : arg)));
    expect(result).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) });
  });

  test('a gateway that breaks off in the middle of a line, and that is unavailable → every event once', async () => {
    let requests = 0;
    const flaky = await startHttpServer(async (request, response) => {
      requests += 1;
      if (requests % 3 === 0) return response.writeHead(503, { 'retry-after': '0' }).end('{}');
      const { status, text } = await gateway.send(request.url ?? '', {
        token: request.headers.authorization ?? null,
        headers: { accept: 'application/x-ndjson' },
      });
      response.writeHead(status).write(text.slice(0, 100_000 * requests));
      setTimeout(() => (text.length > 100_000 * requests ? response.destroy() : response.end()), 20);
    });
    const found: string[] = [];
    const reasons: string[] = [];
    const stop = new AbortController();
    try {
      await followFeed({
        url: flaky.url,
        token: gateway.viewerToken,
        filter: new URLSearchParams(),
        once: true,
        signal: stop.signal,
        after: 'start',
        onLines: async ({ events }) => void found.push(...events),
        onRetry: (reason) => reasons.push(reason),
      });
    } finally {
      await flaky.stop();
    }
    const ids = found.map((line) => JSON.parse(line).id).filter((id) => id <= (byId.at(-1)?.id ?? 0));
    expect(ids).toEqual(byId.map(({ id }) => id));
    expect(reasons.length).toBeGreaterThan(1);
  });

  test('the file of the cursor → the cursor of the last line', async () => {
    await run();
    const cursor = (await readFile(state, 'utf8')).trim();
    expect((await gateway.send(`/v1/events/feed?after=${cursor}`)).body).toMatchObject({ events: [], upToDate: true });
  });
});
