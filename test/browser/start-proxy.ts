import { once } from 'node:events';
import { createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

export type GatewayProxy = Awaited<ReturnType<typeof startProxy>>;

/** Starts a reverse proxy that mounts the gateway below a prefix, such as `/tools/flags`. It can lose all connections for a while. */
export async function startProxy(target: string, prefix = '') {
  const { hostname, port } = new URL(target);
  let isCut = false;
  const server = createServer((incoming, response) => {
    const path = incoming.url ?? '/';
    if (isCut) return void response.destroy();
    if (!path.startsWith(`${prefix}/`)) return void response.writeHead(404).end();
    const { method, headers } = incoming;
    const outgoing = sendRequest({ hostname, port, method, headers, path: path.slice(prefix.length) }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(outgoing);
    response.on('close', () => outgoing.destroy());
    outgoing.on('error', () => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    cut() {
      isCut = true;
      server.closeAllConnections();
    },
    restore() {
      isCut = false;
    },
    async stop(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
