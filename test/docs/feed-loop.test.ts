import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as apolloClient from '@apollo/client';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as urql from '@urql/core';
import * as eventSourceParser from 'eventsource-parser/stream';
import * as graphqlSse from 'graphql-sse';
import * as graphqlWs from 'graphql-ws';
import { WebSocket } from 'ws';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';
import { waitUntil } from '../support/wait-until.js';

globalThis.WebSocket ??= WebSocket as never;

const guide = readFileSync(new URL('../../docs/feed.md', import.meta.url), 'utf8');
const blocks = [...guide.matchAll(/```(js|sh)\n(.*?)```/gs)].map(([, , code = '']) => code);

/** Returns the block of the guide that contains a text. */
function findBlock(text: string): string {
  const found = blocks.filter((block) => block.includes(text));
  if (found.length !== 1) throw new Error(`${found.length} blocks of docs/feed.md have ${text}`);
  return found[0] as string;
}

/** The time of silence after which the loops reconnect in this test. */
const SILENT_MS = 2_000;
const GUIDE_SILENT_MS = '45_000';
/** Swallows the reports of retries. */
const QUIET = { console: { warn: () => undefined } };

const GUIDE_URLS = /(https|wss):\/\/gateway\.example\.com/g;

/** Runs blocks of the guide, with the given values in place of imports and undefined names. @returns the value of `result` */
function run<Result>(blocksToRun: readonly string[], values: Record<string, unknown>, result: string, url: string): Result {
  const code = blocksToRun
    .join('\n')
    .replaceAll(/^import .*\n/gm, '')
    .replaceAll(GUIDE_SILENT_MS, String(SILENT_MS))
    .replaceAll(GUIDE_URLS, (_, scheme) => url.replace('http', scheme === 'wss' ? 'ws' : 'http'));
  const all = { ...QUIET, ...values };
  return new Function(...Object.keys(all), `${code}; return ${result};`)(...Object.values(all));
}

function readCursor(folder: string): string | null {
  const file = path.join(folder, 'cursor');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}

interface Delivered {
  readonly ids: readonly number[];
  readonly cursor: string;
}
type Follow = (after: string) => AsyncIterable<Delivered>;

async function* toDelivered(
  pages: AsyncIterable<{ events: readonly { id: number }[]; cursor: string }>,
): AsyncIterable<Delivered> {
  for await (const { events, cursor } of pages) yield { ids: events.map(({ id }) => id), cursor };
}

const GRAPHQL_LOOP = 'async function* follow(iterate';

/** The loop for GraphQL with a client. @param blocksOfClient texts that identify the blocks that define `iterate` */
const graphqlLoop =
  (values: Record<string, unknown>, ...blocksOfClient: readonly string[]) =>
  (url: string, token: string): Follow => {
    type Pages = AsyncIterable<{ events: readonly { id: number }[]; cursor: string }>;
    const code = [GRAPHQL_LOOP, ...blocksOfClient].map(findBlock);
    const follow = run<(after: string) => Pages>(code, { ...values, token }, '(after) => follow(iterate, after)', url);
    return (after) => toDelivered(follow(after));
  };

const LOOPS: Readonly<Record<string, (url: string, token: string) => Follow>> = {
  'server-sent events': (url, token) => {
    type Events = AsyncIterable<{ event: { id: number } | null; cursor: string }>;
    const code = [findBlock('async function* follow(gateway')];
    const follow = run<(gateway: string, token: string, after: string) => Events>(code, { ...eventSourceParser }, 'follow', url);
    return async function* (after) {
      for await (const { event, cursor } of follow(url, token, after)) yield { ids: event ? [event.id] : [], cursor };
    };
  },
  'graphql-ws': graphqlLoop(graphqlWs, "from 'graphql-ws'"),
  'graphql-sse': graphqlLoop(graphqlSse, "from 'graphql-sse'"),
  urql: graphqlLoop(urql, 'function toIterator', "from '@urql/core'"),
  'Apollo Client': graphqlLoop(apolloClient, 'function toIterator', "from '@apollo/client'"),
};

describe('the loops of the guide', () => {
  let gateway: TestGateway;
  let proxy: DatabaseProxy;
  let url: string;
  beforeAll(async () => {
    gateway = await startTestGateway();
    proxy = await startDatabaseProxy(gateway.url);
    url = new URL(proxy.url).origin;
  });
  afterAll(async () => {
    await proxy.cut();
    await gateway.stop();
  });

  const addEvent = async (): Promise<number> =>
    (await gateway.prisma.event.create({ data: { type: 'feature-created', createdBy: 'test' } })).id;

  test('each → every event once, over broken connections, until the reader stops', async () => {
    const readers = Object.entries(LOOPS).map(([name, connect]) => {
      const received: number[] = [];
      const read = async () => {
        for await (const { ids } of connect(url, gateway.adminToken)('start')) {
          received.push(...ids);
          if (received.length === 3) return;
        }
      };
      return { name, received, end: read() };
    });
    const added: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      added.push(await addEvent());
      const behind = () => readers.filter(({ received }) => received.at(-1) !== added.at(-1)).map(({ name }) => name);
      await waitUntil(`each loop has event ${round + 1}`, async () => behind().length === 0);
      await proxy.cut();
      await proxy.restore();
    }
    await Promise.all(readers.map(({ end }) => end));
    expect(readers.map(({ name, received }) => ({ name, received }))).toEqual(
      readers.map(({ name }) => ({ name, received: added })),
    );
  }, 60_000);

  const readOne = async (follow: Follow, after: string): Promise<unknown> => {
    try {
      for await (const delivered of follow(after)) return delivered;
      return null;
    } catch (error) {
      return `${error} ${JSON.stringify(error)} ${(error as { code?: unknown }).code}`;
    }
  };

  test.each(Object.entries(LOOPS))(
    '%s: a token that is not valid, another log → the loop ends with the error',
    async (_, connect) => {
      const other = Buffer.from('1,2000000000,AAAAAAAA,0,').toString('base64url');
      expect(await readOne(connect(url, 'not-a-token'), 'start')).toMatch(
        /UnauthorizedError|UNAUTHENTICATED|4401|401: Unauthorized/,
      );
      expect(await readOne(connect(url, gateway.adminToken), other)).toMatch(/FeedResetError|FEED_RESET/);
    },
  );

  test.each(Object.entries(LOOPS))('%s: a reader that leaves, and one that fails → no stream stays open', async (_, connect) => {
    await addEvent();
    expect(await readOne(connect(url, gateway.adminToken), 'start')).toMatchObject({ cursor: expect.any(String) });
    const failure = new Error('The reader failed.');
    const fail = async () => {
      for await (const _ of connect(url, gateway.adminToken)('start')) throw failure;
    };
    await expect(fail()).rejects.toBe(failure);
    const readMetrics = async () => (await gateway.send('/metrics', { token: null })).text;
    await waitUntil('all streams have ended', async () => (await readMetrics()).includes('gateway_feed_streams 0\n'));
  });

  // graphql-ws opens no other WebSocket until the silent one is closed, for which it waits another 30 seconds.
  const overHttp = Object.entries(LOOPS).filter(([name]) => name !== 'graphql-ws');
  test.each(overHttp)('%s: a connection that falls silent → the loop opens another one', async (_, connect) => {
    await addEvent();
    const follow = connect(url, gateway.adminToken)((await gateway.send('/v1/events/feed?after=now')).body.next);
    const pages = follow[Symbol.asyncIterator]();
    const readIds = async (): Promise<readonly number[]> => {
      for (;;) {
        const { value } = await pages.next();
        if (value.ids.length > 0) return value.ids;
      }
    };
    const first = await addEvent();
    expect(await readIds()).toEqual([first]);
    const reading = readIds();
    await proxy.freeze();
    const later = await addEvent();
    await sleep(SILENT_MS);
    await proxy.restore();
    expect(await reading).toEqual([later]);
    await pages.return?.();
  });

  const hasTools = ['curl', 'jq'].every((tool) => spawnSync(tool, ['--version']).status === 0);
  (hasTools ? test : test.skip)('curl → each event once, also if the loop is started again', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'feed-loop-'));
    const env = { ...process.env, TOKEN: gateway.adminToken, GATEWAY: gateway.url };
    let written = '';
    /** Runs the loop until its cursor is that of the log. */
    const read = async (): Promise<void> => {
      const child = spawn('bash', ['-c', findBlock('after=$(cat cursor')], { cwd: folder, env, detached: true });
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        written += text;
      });
      const closed = once(child, 'close');
      const { next } = (await gateway.send('/v1/events/feed?after=now')).body;
      try {
        await waitUntil('the cursor of the last event is written', async () => readCursor(folder) === next);
      } finally {
        process.kill(-(child.pid as number), 'SIGKILL');
        await closed;
      }
    };
    const expected = (await gateway.prisma.event.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id);
    for (let run = 0; run < 2; run += 1) {
      expected.push(await addEvent());
      await read();
      const lines = written.trim().split('\n');
      expect(lines.map((line) => JSON.parse(line).id)).toEqual(expected);
    }
    rmSync(folder, { recursive: true });
  });
});
