import { once } from 'node:events';
import { type AddressInfo, createServer, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import type pg from 'pg';
import { queryCancellable } from '../../src/database/cancellable-query.js';

/** Longer than a server on the same machine takes to notice a closed connection. */
const CLOSE_MS = 200;

const server = createServer({ allowHalfOpen: true });
const sockets: Socket[] = [];
afterEach(() => {
  server.close();
  for (const socket of sockets) socket.destroy();
});

/** A socket that connects later, as the one to the embedded database, which finds its server first. */
class LateSocket extends Socket {
  override connect(...args: unknown[]): this {
    setImmediate(() => super.connect(...(args as [number, string])));
    return this;
  }
}

test.each([
  ['a socket', {}],
  ['a socket that connects later', { stream: () => new LateSocket() }],
])('an aborted query, %s → sends a cancel request, and leaves closing its connection to PostgreSQL', async (_, options) => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const released: unknown[] = [];
  let failQuery = (_error: Error): void => undefined;
  const client = {
    host: '127.0.0.1',
    port,
    processID: 7,
    secretKey: 8,
    query: () =>
      new Promise((_, reject) => {
        failQuery = reject;
      }),
    release: (isClosed: unknown) => released.push(isClosed),
  };
  const pool = { options, connect: () => Promise.resolve(client) } as unknown as pg.Pool;
  const controller = new AbortController();
  const query = queryCancellable(pool, { text: 'SELECT 1' }, controller.signal);
  const refused = expect(query).rejects.toThrow('The client closed the request');
  await pause(0);
  controller.abort();

  const [socket] = await once(server, 'connection');
  sockets.push(socket);
  let isClosedByGateway = false;
  socket.once('end', () => {
    isClosedByGateway = true;
  });
  const [request] = await once(socket, 'data');
  await pause(CLOSE_MS);
  expect(isClosedByGateway).toBe(false);
  expect([0, 4, 8, 12].map((offset) => request.readInt32BE(offset))).toEqual([16, 80_877_102, 7, 8]);

  failQuery(new Error('canceled'));
  await pause(0);
  expect(released).toEqual([]);
  socket.end();
  await refused;
  expect(released).toEqual([true]);
});

test('a query that ends soon after its signal was aborted → no cancel request, and the connection stays in the pool', async () => {
  const released: unknown[] = [];
  let endQuery = (_result: object): void => undefined;
  let connections = 0;
  const client = {
    query: () =>
      new Promise((resolve) => {
        endQuery = resolve;
      }),
    release: (isClosed: unknown) => released.push(isClosed),
  };
  const stream = () => {
    connections += 1;
    return new LateSocket();
  };
  const pool = { options: { stream }, connect: () => Promise.resolve(client) } as unknown as pg.Pool;
  const controller = new AbortController();
  const query = queryCancellable(pool, { text: 'SELECT 1' }, controller.signal);
  await pause(0);
  controller.abort();
  await pause(5);
  endQuery({ rows: [] });
  expect(await query).toEqual({ rows: [] });
  await pause(CLOSE_MS);
  expect([released, connections]).toEqual([[false], 0]);
});
