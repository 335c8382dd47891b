import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient as createWsClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { toWebsocketUrl } from '../support/subscribe.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';
import { waitUntil } from '../support/wait-until.js';

interface FeedClient {
  iterate(request: { query: string; variables: Record<string, unknown> }): AsyncIterableIterator<unknown>;
}

type Follow = (
  client: FeedClient,
  after: string,
  onEvents: (events: readonly { readonly id: number }[]) => void,
) => Promise<never>;

/** The loop of docs/feed.md, as it stands there. */
async function loadLoop(): Promise<Follow> {
  const guide = readFileSync(new URL('../../docs/feed.md', import.meta.url), 'utf8');
  const code = guide.match(/```js\n([^`]*async function follow\(client, [^`]*)```/)?.[1];
  if (code === undefined) throw new Error('docs/feed.md has no loop for GraphQL clients.');
  const { follow } = await import(`data:text/javascript,${encodeURIComponent(`${code}\nexport { follow };`)}`);
  return follow;
}

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

/** Each client, and a function that breaks its connection. */
const clients: Readonly<Record<string, (token: string) => { readonly client: FeedClient; readonly interrupt: () => void }>> = {
  'graphql-ws': (token) => {
    const client = createWsClient({
      url: toWebsocketUrl(gateway.url),
      webSocketImpl: WebSocket,
      connectionParams: { authorization: token },
      retryAttempts: 0,
    });
    return { client, interrupt: () => client.terminate() };
  },
  'graphql-sse': (token) => {
    let breaking = new AbortController();
    const client = createSseClient({
      url: `${gateway.url}/graphql`,
      headers: { authorization: token },
      retryAttempts: 0,
      fetchFn: (url: string, init: RequestInit & { readonly signal: AbortSignal }) =>
        fetch(url, { ...init, signal: AbortSignal.any([init.signal, breaking.signal]) }),
    });
    const interrupt = () => {
      breaking.abort();
      breaking = new AbortController();
    };
    return { client, interrupt };
  },
};

/** An error that ends the loop. */
const STOP = [{ extensions: { code: 'STOPPED_BY_TEST' } }];

test('the loop of the guide → every event once, over broken connections', async () => {
  const follow = await loadLoop();
  const added: number[] = [];
  const addEvent = async () => {
    const { id } = await gateway.prisma.event.create({ data: { type: 'feature-created', createdBy: 'test' } });
    added.push(id);
  };
  const loops = Object.entries(clients).map(([name, connect]) => {
    const { client, interrupt } = connect(gateway.adminToken);
    const received: number[] = [];
    const onEvents = (events: readonly { readonly id: number }[]) => {
      received.push(...events.map(({ id }) => id));
      if (added.length === 4 && received.length === 4) throw STOP;
    };
    return { name, interrupt, received, end: follow(client, 'start', onEvents).catch((error) => error) };
  });
  for (let round = 0; round < 4; round += 1) {
    await addEvent();
    const isComplete = () => loops.every(({ received }) => received.at(-1) === added.at(-1));
    await waitUntil(`each loop has event ${round + 1}`, isComplete);
    for (const { interrupt } of loops) interrupt();
  }
  for (const { name, received, end } of loops) {
    expect({ name, received }).toEqual({ name, received: added });
    expect(await end).toBe(STOP);
  }
}, 60_000);
