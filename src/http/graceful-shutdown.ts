import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { cutOffAtOnce } from './open-responses.js';

/** The deadline for requests in flight once the gateway stops. The whole shutdown has ten seconds (cli/run-gateway.ts). */
const FINISH_MS = 8_000;
const CLOSE_IDLE_EVERY_MS = 50;

/**
 * Lets requests in flight finish. At the deadline, resets connections with an incomplete response, and closes all others.
 * @param abandon cancels all running queries
 */
export async function shutDownGracefully(app: FastifyInstance, abandon: () => void): Promise<void> {
  const finished = new AbortController();
  // Closes idle connections repeatedly, because a keep-alive connection becomes idle only after its last response.
  const closing = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
  const cut = setTimeout(FINISH_MS, undefined, { signal: finished.signal }).then(
    () => {
      abandon();
      for (const response of app.openResponses.keys()) cutOffAtOnce(response);
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
