import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** The deadline for requests in flight once the gateway stops. The whole shutdown takes less than ten seconds (cli/run-gateway.ts). */
const FINISH_MS = 8_000;
const CLOSE_IDLE_EVERY_MS = 50;

/** Lets requests in flight finish, and closes the connections of those that miss the deadline. @param abandon cancels queries */
export async function shutDownGracefully(app: FastifyInstance, abandon: () => void): Promise<void> {
  const finished = new AbortController();
  // A keep-alive connection becomes idle after its last response.
  const closing = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
  const cut = setTimeout(FINISH_MS, undefined, { signal: finished.signal }).then(
    () => {
      abandon();
      app.server.closeAllConnections();
    },
    () => undefined,
  );
  await app.close().finally(() => {
    clearInterval(closing);
    finished.abort();
  });
  await cut;
}
