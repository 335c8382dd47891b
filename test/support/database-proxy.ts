import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createConnection, createServer, type Server, type Socket } from 'node:net';

export type DatabaseProxy = Awaited<ReturnType<typeof startDatabaseProxy>>;

/** Starts a proxy between a gateway and its PostgreSQL server. The proxy can make the server unavailable in two ways. */
export async function startDatabaseProxy(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const pairs = new Set<readonly [Socket, Socket]>();
  let isFrozen = false;
  const accept = (client: Socket) => {
    const server = createConnection({ host: target.hostname, port: Number(target.port || 5432) });
    const pair = [client, server] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [server, client] as const]) {
      from
        .on('error', () => undefined)
        .on('close', () => {
          to.destroy();
          pairs.delete(pair);
        });
      if (!isFrozen) from.pipe(to);
    }
  };
  const listen = async (port: number): Promise<Server> => {
    const server = createServer(accept).listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  let server = await listen(0);
  const { port } = server.address() as AddressInfo;
  const cut = async () => {
    // Stops listening first, so that no connection arrives while the others are closed.
    const closed = server.listening ? once(server.close(), 'close') : null;
    for (const [client, upstream] of pairs) {
      client.destroy();
      upstream.destroy();
    }
    await closed;
  };
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;

  return {
    url: url.href,
    /** Acts like a stopped server: closes connections, and refuses new ones. */
    cut,
    /** Acts like a host that vanished: old and new connections stay silent. */
    freeze() {
      isFrozen = true;
      for (const [client, upstream] of pairs) {
        client.unpipe().pause();
        upstream.unpipe().pause();
      }
    },
    async restore() {
      isFrozen = false;
      await cut();
      server = await listen(port);
    },
  };
}
