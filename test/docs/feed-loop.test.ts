import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
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

const GUIDE_URLS = /(https|wss):\/\/gateway\.example\.com/g;

/** Runs blocks of the guide, with the given values for what they import and do not define. @returns the value of `result` */
function run<Result>(blocksToRun: readonly string[], values: Record<string, unknown>, result: string, url: string): Result {
  const code = blocksToRun
    .join('\n')
    .replaceAll(/^import .*\n/gm, '')
    .replaceAll(GUIDE_URLS, (_, scheme) => url.replace('http', scheme === 'wss' ? 'ws' : 'http'));
  return new Function(...Object.keys(values), `${code}; return ${result};`)(...Object.values(values));
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

/** The loop for GraphQL with a client. @param blocksOfClient texts in the blocks that define `iterate` */
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
    type Events = AsyncIterable<{ event: { id: number }; cursor: string }>;
    const code = [findBlock('async function* follow(gateway')];
    const follow = run<(gateway: string, token: string, after: string) => Events>(code, { ...eventSourceParser }, 'follow', url);
    return async function* (after) {
      for await (const { event, cursor } of follow(url, token, after)) yield { ids: [event.id], cursor };
    };
  },
  'graphql-ws': graphqlLoop(graphqlWs, "from 'graphql-ws'"),
  'graphql-sse': graphqlLoop(graphqlSse, "from 'graphql-sse'"),
  urql: graphqlLoop(urql, 'const toStream', "from '@urql/core'"),
  'Apollo Client': graphqlLoop(apolloClient, 'const toStream', "from '@apollo/client'"),
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

  test.each(Object.entries(LOOPS))(
    '%s: a token that is not valid, another log → the loop ends with the error',
    async (_, connect) => {
      const first = async (follow: Follow, after: string) => {
        for await (const delivered of follow(after)) return delivered;
        return undefined;
      };
      const other = Buffer.from('1,2000000000,AAAAAAAA,0,').toString('base64url');
      await expect(first(connect(url, 'not-a-token'), 'start')).rejects.toBeDefined();
      await expect(first(connect(url, gateway.adminToken), other)).rejects.toBeDefined();
    },
  );

  test.each(Object.entries(LOOPS))('%s: an error of the reader → leaves the loop', async (_, connect) => {
    const failure = new Error('The reader failed.');
    const read = async () => {
      for await (const _ of connect(url, gateway.adminToken)('start')) throw failure;
    };
    await expect(read()).rejects.toBe(failure);
  });

  const hasTools = ['curl', 'jq'].every((tool) => spawnSync(tool, ['--version']).status === 0);
  (hasTools ? test : test.skip)('curl → each event once, also if the loop is started again', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'feed-loop-'));
    const lines: string[] = [];
    const start = (): ChildProcess => {
      const env = { ...process.env, TOKEN: gateway.adminToken, GATEWAY: gateway.url };
      const child = spawn('bash', ['-c', findBlock('after=$(cat cursor')], { cwd: folder, env, detached: true });
      child.stdout?.setEncoding('utf8').on('data', (text: string) => lines.push(...text.trim().split('\n')));
      return child;
    };
    const expected = (await gateway.prisma.event.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id);
    const received = () => lines.map((line) => JSON.parse(line).id);
    for (let run = 0; run < 2; run += 1) {
      expected.push(await addEvent());
      const child = start();
      const { next } = (await gateway.send('/v1/events/feed?after=now')).body;
      await waitUntil('the cursor of the last event is written', async () => readCursor(folder) === next);
      process.kill(-(child.pid as number), 'SIGKILL');
      expect(received()).toEqual(expected);
    }
    rmSync(folder, { recursive: true });
  });
});
