import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { migrate } from '../../src/database/migrate.js';
import { type Database, openDatabase } from '../../src/database/open.js';
import { mirror } from '../../src/mirror/mirror.js';
import { createMirrorStore } from '../../src/mirror/mirror.store.js';
import { createServerLog } from '../../src/mirror/server-log.js';
import { startHttpServer } from '../support/http-server.js';
import { runCommand } from '../support/run-command.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

interface Logged {
  readonly id: number;
  readonly createdAt: string;
}

const DAY_MS = 86_400_000;

/** A log as a server of 6.0 or later tells it, which orders the events of one moment anew for each answer. */
function createLog(count: number) {
  const events: Logged[] = [];
  const log = {
    events,
    /** What is done before an answer; true if it has answered. */
    before: (_request: IncomingMessage, _response: ServerResponse): boolean => false,
    add(createdAt = new Date().toISOString()) {
      events.push({ id: events.length + 1, createdAt });
    },
    answer(request: IncomingMessage, response: ServerResponse) {
      if (log.before(request, response)) return;
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
      if (pathname !== '/api/admin/search/events') return void response.writeHead(404).end();
      const day = (name: string, other: string) => searchParams.get(name)?.slice('IS:'.length) ?? other;
      const [from, to] = [day('from', '0000'), day('to', '9999')];
      const offset = Number(searchParams.get('offset') ?? 0);
      const of = events.filter(({ createdAt }) => createdAt.slice(0, 10) >= from && createdAt.slice(0, 10) <= to);
      const sorted = of
        .map((event) => ({ event, random: Math.random() }))
        .sort((a, b) => b.event.createdAt.localeCompare(a.event.createdAt) || a.random - b.random);
      const page = sorted.slice(offset, offset + Number(searchParams.get('limit'))).map(({ event }) => toWire(event));
      response.end(`{"events":[${page.join(',')}],"total":${of.length}}`);
    },
  };
  const start = Date.now() - 5 * DAY_MS;
  // Each moment has some hundred events.
  for (let n = 0; n < count; n += 1) log.add(new Date(start + Math.floor(n / 300) * 3_600_000).toISOString());
  return log;
}

function toWire({ id, createdAt }: Logged): string {
  return `{"id":${id},"type":"feature-updated","createdBy":"x","createdAt":"${createdAt}","data":{"n":${id}.10,"text":"],[{"},"label":"L","tags":[]}`;
}

describe('a mirror of a server’s log', () => {
  let location: TestDatabase;
  let database: Database;
  let log: ReturnType<typeof createLog>;
  let server: Awaited<ReturnType<typeof startHttpServer>>;
  beforeEach(async () => {
    location = await createTestDatabase('nothing');
    database = await openDatabase(location.location);
    await migrate(database);
    log = createLog(2_500);
    server = await startHttpServer((request, response) => log.answer(request, response));
  });
  afterEach(async () => {
    await server.stop();
    await database.close();
    await location.drop();
  });

  const retries: string[] = [];
  const copy = (signal = new AbortController().signal, source = server.url) =>
    mirror(
      createServerLog({ url: server.url, token: 'secret', signal, onRetry: (reason) => void retries.push(reason) }),
      createMirrorStore(database),
      { source, signal, follow: false, onProgress: () => undefined },
    );
  const copied = () =>
    database.read<{ id: number; createdAt: string; data: string }>({
      text: `SELECT id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt", data::text FROM events ORDER BY id`,
      values: [],
    });
  const expectEqual = async () => expect((await copied()).map(({ id, createdAt }) => ({ id, createdAt }))).toEqual(log.events);

  test('has every event as it was sent, also of a moment that fills pages', async () => {
    for (let n = 0; n < 2_500; n += 1) log.add('2026-01-02T03:04:05.678Z');
    expect(await copy()).toBe(5_000);
    await expectEqual();
    expect((await copied())[0]?.data).toBe('{"n":1.10,"text":"],[{"}');
  });

  test('run again: asks for the last days alone, and adds what is new', async () => {
    await copy();
    log.add();
    const before = server.requests.length;
    expect(await copy()).toBe(1);
    await expectEqual();
    const asked = server.requests.slice(before).map(({ url }) => /from=IS%3A([\d-]+)/.exec(url ?? '')?.[1]);
    const threeDaysAgo = new Date(Date.now() - 3 * DAY_MS).toISOString().slice(0, 10);
    expect(asked.filter((day) => day !== undefined && day < threeDaysAgo)).toEqual([]);
  });

  test('neither loses nor repeats an event while new ones arrive between two pages', async () => {
    log.before = () => {
      log.add();
      return false;
    };
    await copy();
    log.before = () => false;
    await copy();
    await expectEqual();
  });

  test('stopped after any request and run again → the same copy', async () => {
    let requests = 0;
    for (let stopAt = 1; stopAt < 12; stopAt += 2) {
      const stop = new AbortController();
      log.before = () => {
        requests += 1;
        if (requests % stopAt === 0) stop.abort();
        return false;
      };
      await copy(stop.signal).catch((error) => expect(error.name).toBe('AbortError'));
    }
    log.before = () => false;
    await copy();
    await expectEqual();
  });

  test('too many requests, an error and a lost connection → it waits and goes on', async () => {
    retries.length = 0;
    let requests = 0;
    log.before = (request, response) => {
      requests += 1;
      if (requests === 2) response.writeHead(429, { 'retry-after': '0' }).end();
      else if (requests === 3) response.writeHead(502).end();
      else if (requests === 4) request.socket.destroy();
      else return false;
      return true;
    };
    await copy();
    await expectEqual();
    expect(retries).toEqual(['it answered 429', 'it answered 502', expect.any(String)]);
  });

  test.each([
    [401, /refuses the token/],
    [403, /refuses the token/],
    [400, /answered 400/],
  ])('%i → an error that says so, at once', async (status, words) => {
    log.before = (_, response) => {
      response.writeHead(status).end();
      return true;
    };
    await expect(copy()).rejects.toThrow(words);
    expect(server.requests).toHaveLength(1);
  });

  test('a page that lacks events of its total → an error, and the day does not count as copied', async () => {
    log.before = ({ url }, response) => {
      if (!url?.includes('from=')) return false;
      response.end('{"events":[],"total":3}');
      return true;
    };
    await expect(copy()).rejects.toThrow(/Of the 3 events of .* only 0 were given/);
    expect(await createMirrorStore(database).findCompleteBefore()).toBeNull();
  });

  test('the log of another server → refused', async () => {
    await copy();
    await expect(copy(undefined, 'https://another.example')).rejects.toThrow(/is a copy of the log of/);
  });

  test('a log with an event of its own under the same id → refused, with the id', async () => {
    await database.read({ text: `INSERT INTO events (id, type, created_by) VALUES (7, 'feature-created', 'y')`, values: [] });
    await expect(copy()).rejects.toThrow(/Event 7 of the server is another one/);
  });

  test('the command says what it did, and needs a URL and a token', async () => {
    await database.close();
    const done = await runCommand({ ...location.env, MIRROR_TOKEN: 'secret' }, ['mirror', '--from', `${server.url}/`]);
    database = await openDatabase(location.location);
    expect(done).toMatchObject({ code: 0, stdout: '2500 events added, the copy is complete\n', stderr: '' });
    await expectEqual();
    for (const args of [
      ['--from', server.url],
      ['--token', 'x'],
      ['--from', 'server', '--token', 'x'],
    ]) {
      expect((await runCommand({}, ['mirror', ...args])).code).toBe(1);
    }
  });
});
