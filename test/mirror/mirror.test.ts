import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createApiTokenService } from '../../src/auth/api-token.service.js';
import { createApiTokenStore } from '../../src/auth/api-token.store.js';
import { createCredential } from '../../src/auth/credential.js';
import { createTokenCache } from '../../src/auth/token-cache.js';
import { type Database, openDatabase } from '../../src/database/open.js';
import { type MirrorOptions, mirror } from '../../src/log-copy/mirror.js';
import { createMirrorStore } from '../../src/log-copy/mirror.store.js';
import { createMirrorAgeRecorder } from '../../src/log-copy/mirror-age-recorder.js';
import { createUnleashLog } from '../../src/log-copy/unleash-log.js';
import { expectSentence } from '../support/expect-sentence.js';
import { startHttpServer } from '../support/http-server.js';
import { runCommand } from '../support/run-command.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';

const ADMIN = JSON.stringify({ permissions: [{ permission: 'ADMIN' }] });

interface Logged {
  readonly id: number;
  readonly createdAt: string;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** The time zone of a server, in hours ahead of UTC. West of UTC, a range of days ends where its last day begins. */
interface Zone {
  readonly hours: number;
}

/** Creates the log of a server, which orders events with the same time differently for each offset. */
function createLog(count: number) {
  const events: Logged[] = [];
  const log = {
    events,
    user: ADMIN,
    /** Whether the server is older than 6.0. Its log then has another path, which cannot select days. */
    isOld: false,
    zone: { hours: 0 } as Zone,
    /** Runs before each response. Returns true if it has responded itself. */
    before: (_request: IncomingMessage, _response: ServerResponse): boolean => false,
    add(createdAt = new Date().toISOString()) {
      events.push({ id: events.length + 1, createdAt });
    },
    answer(request: IncomingMessage, response: ServerResponse) {
      if (log.before(request, response)) return;
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
      if (pathname === '/api/admin/user') return void response.end(log.user);
      if (log.isOld && request.method === 'POST') return void answerOld(request, response);
      if (log.isOld || pathname !== '/api/admin/search/events') return void response.writeHead(404).end();
      const day = (name: string) => searchParams.get(name)?.slice('IS:'.length);
      const [from, to] = [day('from'), day('to')];
      const start = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from) - log.zone.hours * HOUR_MS;
      // West of UTC, the range ends with the local day at the time when `to` begins in UTC. This is the day before `to`.
      const end =
        to === undefined
          ? Number.POSITIVE_INFINITY
          : Date.parse(to) + (log.zone.hours < 0 ? 0 : DAY_MS) - log.zone.hours * HOUR_MS;
      const offset = Number(searchParams.get('offset') ?? 0);
      const of = events.filter(({ createdAt }) => Date.parse(createdAt) >= start && Date.parse(createdAt) < end);
      tell(response, of, offset, Number(searchParams.get('limit')), 'total');
    },
  };
  const answerOld = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { offset, limit } = JSON.parse(body);
    tell(response, events, offset, limit, 'totalEvents');
  };
  const tell = (response: ServerResponse, of: readonly Logged[], offset: number, limit: number, total: string) => {
    const sorted = of
      .map((event) => ({ event, random: hash('md5', `${offset} ${event.id}`) }))
      .sort((a, b) => Date.parse(b.event.createdAt) - Date.parse(a.event.createdAt) || a.random.localeCompare(b.random));
    const page = sorted.slice(offset, offset + limit).map(({ event }) => toWire(event));
    response.end(`{"version":1,"events":[${page.join(',')}],"${total}":${of.length}}`);
  };
  const start = Date.now() - 5 * DAY_MS;
  // Up to 30 events have the same time.
  for (let n = 0; n < count; n += 1) log.add(new Date(start + Math.floor(n / 30) * 3_600_000).toISOString());
  return log;
}

function toWire({ id, createdAt }: Logged): string {
  return `{"id":${id},"type":"feature-updated","createdBy":"x","createdAt":"${createdAt}","data":{"n":${id}.10,"text":"],[{"},"label":"L","tags":[]}`;
}

/** The events of a page, fewer than the thousand of a real server so that few events fill several pages. */
const PAGE_SIZE = 100;
const COUNT = 250;

describe('a mirror of a server’s log', () => {
  let location: TestDatabase;
  let database: Database;
  let log: ReturnType<typeof createLog>;
  let server: Awaited<ReturnType<typeof startHttpServer>>;
  beforeEach(async () => {
    location = await createTestDatabase('empty');
    database = await openDatabase(location.location);
    log = createLog(COUNT);
    server = await startHttpServer((request, response) => log.answer(request, response));
  });
  afterEach(async () => {
    await following?.stop();
    following = null;
    await server.stop();
    await database.close();
    await location.drop();
  });

  const retries: string[] = [];
  const copy = async (signal = new AbortController().signal, options: Partial<MirrorOptions> = {}) => {
    const store = createMirrorStore(database);
    const serverLog = createUnleashLog(
      { url: server.url, token: 'secret', signal, onRetry: (reason) => void retries.push(reason) },
      PAGE_SIZE,
    );
    await serverLog.requireAdministrator();
    await store.claim(server.url, null);
    return mirror(serverLog, store, { signal, follow: false, onProgress: () => undefined, ...options });
  };
  /** The mirror that a test has started and not stopped yet. `stop` returns the error with which it ends. */
  let following: { stop(): Promise<unknown> } | null = null;
  const follow = (options: Partial<MirrorOptions>) => {
    const stop = new AbortController();
    const ended = copy(stop.signal, { follow: true, ...options }).catch((error: unknown) => error);
    following = {
      stop: () => {
        stop.abort();
        return ended;
      },
    };
  };
  const stopFollowing = async () => expect(await following?.stop()).toMatchObject({ name: 'AbortError' });
  const copied = () =>
    database.read<{ id: number; createdAt: string; data: string }>({
      text: `SELECT id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt", data::text FROM events ORDER BY id`,
      values: [],
    });
  const expectEqual = async () => expect((await copied()).map(({ id, createdAt }) => ({ id, createdAt }))).toEqual(log.events);

  test('has every event as it was sent, also of a moment that fills pages', async () => {
    const moment = new Date(Date.now() - 10 * DAY_MS).toISOString();
    for (let n = 0; n < COUNT; n += 1) log.add(moment);
    expect(await copy()).toBe(2 * COUNT);
    await expectEqual();
    expect((await copied())[0]?.data).toBe('{"n":1.10,"text":"],[{"}');
  });

  test('years without events → a few requests', async () => {
    log.events.length = 0;
    for (const day of ['2019-02-03', '2019-02-04', '2023-11-30']) log.add(`${day}T12:00:00.000Z`);
    log.add();
    const before = server.requests.length;
    expect(await copy()).toBe(4);
    await expectEqual();
    expect(server.requests.length - before).toBeLessThan(40);
  });

  test('times before and after the years of a search, and of the future → copied as Unleash prints them', async () => {
    const odd = [
      '-004712-01-01T00:00:00.000Z',
      '0000-02-28T00:00:00.000Z',
      '0001-01-01T12:00:00.000Z',
      '2031-05-05T00:00:00.000Z',
      '9999-12-31T12:00:00.000Z',
      '+020000-02-29T00:00:00.000Z',
    ];
    for (const time of odd) log.add(time);
    expect(await copy()).toBe(COUNT + odd.length);
    expect(await copy()).toBe(0);
    const rows = await database.read<{ ms: number }>({
      text: 'SELECT (extract(epoch FROM created_at) * 1000)::float8 AS ms FROM events ORDER BY id',
      values: [],
    });
    expect(rows.map(({ ms }) => ms)).toEqual(log.events.map(({ createdAt }) => Date.parse(createdAt)));
  });

  test('a time that Unleash cannot print → an error with the id of the event', async () => {
    log.events.push({ id: COUNT + 1, createdAt: '' });
    log.before = ({ url }, response) => {
      if (!url?.includes('from=')) return false;
      response.end(
        `{"events":[${toWire({ id: COUNT + 1, createdAt: '' }).replace('"createdAt":""', '"createdAt":null')}],"total":1}`,
      );
      return true;
    };
    await expect(copy()).rejects.toThrow(/^Event 251 of Unleash cannot be copied for this reason: createdAt must be /);
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
    const before = [...log.events];
    await copy();
    const ids = (await copied()).map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
    expect(before.filter(({ id }) => !ids.includes(id))).toEqual([]);
    log.before = () => false;
    await copy();
    await expectEqual();
  });

  test.each([-11, -5, 9])('of a server that is %i hours from UTC → every event', async (hours) => {
    log.zone = { hours };
    await copy();
    await expectEqual();
  });

  test('of a server before 6.0, a hundred events at a time → every event, also of those that come later', async () => {
    log.isOld = true;
    await copy();
    log.add();
    await copy();
    await expectEqual();
  });

  test.each([false, true])('follows what is added, also during a revision; before 6.0: %s', async (isOld) => {
    log.isOld = isOld;
    let isComplete = false;
    follow({
      followEveryMs: 20,
      reviseEveryMs: 50,
      onProgress: (progress) => {
        isComplete = progress.isComplete;
      },
    });
    await waitUntil('the copy is complete', () => isComplete);
    for (let n = 0; n < 30; n += 1) {
      log.add();
      // This event is committed late: its time is an hour ago.
      if (!isOld && n % 10 === 0) log.add(new Date(Date.now() - HOUR_MS).toISOString());
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await waitUntil('the copy has every event', async () => (await copied()).length >= log.events.length);
    await stopFollowing();
    await expectEqual();
  });

  interface Age {
    readonly respondedAgo: number | null;
    readonly completeAgo: number | null;
    readonly upTo: number | null;
  }
  const readAge = async () =>
    (
      await database.read<Age>({
        text: `SELECT extract(epoch FROM now() - responded_at)::float8 AS "respondedAgo",
          extract(epoch FROM now() - complete_at)::float8 AS "completeAgo", complete_up_to AS "upTo" FROM gateway_mirror`,
        values: [],
      })
    )[0];

  test('records when the copy was complete, and up to which event', async () => {
    const began = performance.now();
    await copy();
    const age = await readAge();
    expect(age).toEqual({ respondedAgo: expect.any(Number), completeAgo: expect.any(Number), upTo: COUNT });
    expect(age?.completeAgo).toBeGreaterThanOrEqual(age?.respondedAgo ?? Number.NaN);
    expect(age?.completeAgo).toBeLessThan((performance.now() - began) / 1000 + 0.1);
  });

  test('a copy that is not complete yet → only the time of the last response is recorded', async () => {
    const stop = new AbortController();
    log.before = ({ url }) => {
      if (url?.includes('offset=80')) stop.abort();
      return false;
    };
    await copy(stop.signal).catch((error) => expect(error.name).toBe('AbortError'));
    expect(await readAge()).toEqual({ respondedAgo: expect.any(Number), completeAgo: null, upTo: null });
  });

  test('run again after a long stop → the copy counts as complete only once it has what it missed', async () => {
    await copy();
    await database.read({ text: `UPDATE gateway_mirror SET complete_at = now() - interval '1 hour'`, values: [] });
    for (let n = 0; n < PAGE_SIZE; n += 1) log.add();
    const stop = new AbortController();
    log.before = ({ url }) => {
      if (url?.includes('offset=80')) stop.abort();
      return false;
    };
    await copy(stop.signal).catch((error) => expect(error.name).toBe('AbortError'));
    const stopped = await readAge();
    expect(stopped?.respondedAgo).toBeLessThan(1800);
    expect(stopped?.completeAgo).toBeGreaterThan(3600);
    expect(stopped?.upTo).toBe(COUNT);
    log.before = () => false;
    await copy();
    const complete = await readAge();
    expect(complete?.completeAgo).toBeLessThan(1800);
    expect(complete?.upTo).toBe(COUNT + PAGE_SIZE);
  });

  test('follows without new events → records each response; Unleash is unavailable → records none', async () => {
    follow({ followEveryMs: 5, recordEveryMs: 0 });
    const readTimes = () => database.prisma.mirror.findFirst({ select: { respondedAt: true, completeAt: true } });
    const waitForLater = async (before: Date) => {
      let completeAt = before;
      await waitUntil('a later time is recorded', async () => {
        completeAt = (await readTimes())?.completeAt ?? before;
        return completeAt > before;
      });
      return completeAt;
    };
    const first = await waitForLater(new Date(0));
    await waitForLater(first);
    let failures = 0;
    log.before = (_, response) => {
      failures += 1;
      response.writeHead(503, { 'retry-after': '0' }).end();
      return true;
    };
    await waitUntil('the mirror has sent a request', () => failures > 0);
    const last = await readTimes();
    await waitUntil('the mirror has repeated its request', () => failures > 1);
    expect(await readTimes()).toEqual(last);
    await stopFollowing();
  });

  test('a pause of a day while it follows → the copy counts as complete only after a full read', async () => {
    const waitForRequests = async (count: number) => {
      const until = server.requests.length + count;
      await waitUntil(`the mirror has sent ${count} requests`, () => server.requests.length >= until);
    };
    const readCompleteAt = async () => (await database.prisma.mirror.findFirst())?.completeAt;
    follow({ followEveryMs: 5, recordEveryMs: 0 });
    await waitUntil('the copy is complete', async () => (await readCompleteAt()) instanceof Date);
    const now = Date.now;
    jest.spyOn(Date, 'now').mockImplementation(() => now() + DAY_MS);
    // The first of these requests may have been sent before the pause.
    await waitForRequests(2);
    const completeAt = await readCompleteAt();
    await waitForRequests(3);
    expect(await readCompleteAt()).toEqual(completeAt);
    await stopFollowing();
    await copy();
    expect((await readCompleteAt())?.getTime()).toBeGreaterThan(completeAt?.getTime() ?? Number.NaN);
  });

  test('a pause of an hour while a page is read → recorded as complete an hour ago', async () => {
    const recorded: number[] = [];
    const ages = createMirrorAgeRecorder({
      recordResponse: async () => undefined,
      recordComplete: async (agoMs) => void recorded.push(agoMs),
    });
    const since = Date.now();
    for (const change of [HOUR_MS, -HOUR_MS]) {
      jest.spyOn(Date, 'now').mockReturnValue(since + change);
      await ages.recordComplete(since, true);
    }
    expect(recorded).toEqual([HOUR_MS, 0]);
  });

  test('Unleash adds events while the copy begins → progress and error name the same total', async () => {
    await copy();
    let total = COUNT;
    log.before = ({ url }, response) => {
      if (url !== '/api/admin/search/events?limit=1') return false;
      total += 1;
      response.end(`{"events":[],"total":${total}}`);
      return true;
    };
    const totals = new Set<number>();
    const message = await copy(undefined, { onProgress: (progress) => totals.add(progress.total) }).catch(String);
    expect(totals.size).toBe(1);
    expect(message).toContain(`Unleash has ${[...totals][0]} events, and the copy has ${COUNT}.`);
  });

  test('records at most every few seconds', async () => {
    const recorded: string[] = [];
    const ages = createMirrorAgeRecorder({
      recordResponse: async () => void recorded.push('response'),
      recordComplete: async () => void recorded.push('complete'),
    });
    for (let n = 0; n < 3; n += 1) await ages.recordResponse();
    for (let n = 0; n < 3; n += 1) await ages.recordComplete(Date.now());
    await ages.recordComplete(Date.now(), true);
    expect(recorded).toEqual(['response', 'complete', 'complete']);
  });

  test('a token that is no administrator’s → refused before anything is copied', async () => {
    log.user = JSON.stringify({ permissions: [{ permission: 'CREATE_FEATURE' }] });
    await expect(copy()).rejects.toThrow(/does not belong to an administrator/);
    expect(await database.prisma.mirror.count()).toBe(0);
  });

  test('a server that says it has more than it gives → an error, and the next run reads all days', async () => {
    log.before = ({ url }, response) => {
      if (url !== '/api/admin/search/events?limit=1') return false;
      response.end(`{"events":[],"total":${COUNT + 1}}`);
      return true;
    };
    await expect(copy()).rejects.toThrow(new RegExp(`has ${COUNT + 1} events, and the copy has \\d+\\.`));
    expect(await createMirrorStore(database).findCompleteBefore()).toBeNull();
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
      if (requests === 3) response.writeHead(429, { 'retry-after': '0' }).end();
      else if (requests === 4) response.writeHead(502).end();
      else if (requests === 5) response.writeHead(200, { 'content-length': '100' }).write('half', () => request.socket.destroy());
      else if (requests === 6) request.socket.destroy();
      else return false;
      return true;
    };
    await copy();
    await expectEqual();
    expect(retries).toEqual(['it responded with 429', 'it responded with 502', expect.any(String), expect.any(String)]);
  });

  test.each([
    [401, /does not recognize the token/],
    [403, /does not belong to an administrator/],
    [400, /responded with 400/],
  ])('%i → an error that says so, at once', async (status, words) => {
    log.before = (_, response) => {
      response.writeHead(status).end();
      return true;
    };
    await expect(copy()).rejects.toThrow(words);
    expect(server.requests).toHaveLength(1);
  });

  test('what is no server of this API → an error that says so', async () => {
    log.user = '<!DOCTYPE html>';
    await expect(copy()).rejects.toThrow(/responded with 200 to GET \/api\/admin\/user, and no user/);
  });

  test('a page that lacks events of its total → an error, and the day does not count as copied', async () => {
    log.before = ({ url }, response) => {
      if (!url?.includes('from=')) return false;
      response.end('{"events":[],"total":3}');
      return true;
    };
    await expect(copy()).rejects.toThrow(/only 0 of the 3 events from /);
    expect(await createMirrorStore(database).findCompleteBefore()).toBeNull();
  });

  test('the log of another server → refused', async () => {
    await copy();
    const store = createMirrorStore(database);
    await expect(store.claim('https://another.example', null)).rejects.toThrow(`is a copy of the log of ${server.url}`);
    await expect(store.claim('https://another.example', 'https://not.example')).rejects.toThrow('is a copy of the log of');
    await store.claim('https://another.example', server.url);
    await expect(copy()).rejects.toThrow('is a copy of the log of https://another.example');
  });

  test('a log of its own → refused, and left as it is', async () => {
    await database.read({ text: `INSERT INTO events (id, type, created_by) VALUES (7, 'feature-created', 'y')`, values: [] });
    await expect(copy()).rejects.toThrow(/already has a log/);
    expect(await copied()).toHaveLength(1);
  });

  test('an event that was changed by hand → an error with its id, and nothing of that page', async () => {
    log.add();
    await copy();
    await database.read({ text: `UPDATE events SET type = 'other' WHERE id = ${COUNT + 1}`, values: [] });
    log.add();
    await expect(copy()).rejects.toThrow(`Event ${COUNT + 1} of Unleash differs`);
    expect(await copied()).toHaveLength(COUNT + 1);
  });

  test('a VIEWER on a mirror → sees no events without a project', async () => {
    const apiTokens = createApiTokenStore(database);
    const tokens = createApiTokenService(apiTokens);
    const findCaller = createTokenCache(apiTokens);
    const find = (secret: string) => findCaller(createCredential('token', secret));
    const viewer = await tokens.create({ name: 'v', role: 'VIEWER', projects: 'all', expiresAt: null });
    const admin = await tokens.create({ name: 'a', role: 'ADMIN', projects: 'all', expiresAt: null });
    await copy();
    expect([await find(viewer), await find(admin)]).toMatchObject([{ projects: 'any project' }, { projects: 'all' }]);
  });

  test('an import into the copy → refused, and the copy is unchanged', async () => {
    await copy();
    const line = JSON.stringify({
      id: COUNT + 5,
      type: 'x',
      createdBy: 'x',
      createdAt: '2026-01-01T00:00:00.000Z',
      data: {},
      tags: [],
    });
    await database.close();
    const refused = await runCommand(location.env, ['import', '-'], line);
    database = await openDatabase(location.location);
    expectSentence(
      refused,
      /^This database is a copy of the log of http:\S+, to which only mirror adds events\. Import [^\n]+$/m,
    );
    await expectEqual();
  });

  test('the command says what it did, and needs a URL and a token', async () => {
    await database.close();
    const done = await runCommand({ ...location.env, MIRROR_TOKEN: 'secret' }, ['mirror', '--from', `${server.url}/`]);
    database = await openDatabase(location.location);
    expect(done).toMatchObject({ code: 0, stdout: `${COUNT} events added, the copy is complete\n`, stderr: '' });
    await expectEqual();
    for (const args of [
      ['--token', 'x'],
      ['--from', 'server', '--token', 'x'],
    ]) {
      expect((await runCommand({}, ['mirror', ...args])).code).toBe(2);
    }
    for (const env of [{}, { MIRROR_TOKEN: '' }]) {
      const sentence = 'Set MIRROR_TOKEN to an API token of the Unleash server. The token must belong to an administrator.';
      expectSentence(await runCommand(env, ['mirror', '--from', server.url]), sentence, 2);
    }
    const wrong = await runCommand({ MIRROR_TOKEN: 'sécret' }, ['mirror', '--from', server.url]);
    expectSentence(wrong, 'The API token in MIRROR_TOKEN or --token must be visible ASCII.', 2);
  });

  test('a signal before the copy is complete → exit code 1, and the next run continues', async () => {
    await database.close();
    const mirrorOnce = () => runCommand({ ...location.env, MIRROR_TOKEN: 'secret' }, ['mirror', '--from', server.url]);
    const stopAfter = 6;
    log.before = () => {
      // A real signal would also reach the handlers of the test runner.
      if (server.requests.length === stopAfter) process.listeners('SIGTERM').at(-1)?.('SIGTERM');
      return false;
    };
    const stopped = await mirrorOnce();
    expectSentence(stopped, 'Stopped before the copy was complete. Run the command again to continue.', 1);
    expect(server.requests.length).toBeLessThanOrEqual(stopAfter + 1);
    const next = await mirrorOnce();
    database = await openDatabase(location.location);
    expect(next.code).toBe(0);
    await expectEqual();
  });
});
