import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createConnection, createServer, type Server, type Socket } from 'node:net';

export type DatabaseProxy = Awaited<ReturnType<typeof startDatabaseProxy>>;

/** Stands between a gateway and its PostgreSQL server, and makes it go away: at once, or without a word. */
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
    // First, so that none comes while the others are ended.
    const closed = server.listening ? once(server.close(), 'close') : null;
    for (const [client, behind] of pairs) {
      client.destroy();
      behind.destroy();
    }
    await closed;
  };
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;

  return {
    url: url.href,
    /** As when the server is stopped: connections end, new ones are refused. */
    cut,
    /** As when its host vanishes: nothing comes any more, on old connections and on new ones. */
    freeze() {
      isFrozen = true;
      for (const [client, behind] of pairs) {
        client.unpipe().pause();
        behind.unpipe().pause();
      }
    },
    async restore() {
      isFrozen = false;
      await cut();
      server = await listen(port);
    },
  };
}
