import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** What is in flight has so long to end once the gateway stops; all of it is over within ten seconds. */
const FINISH_MS = 8_000;
const CLOSE_IDLE_EVERY_MS = 50;

/** Lets what is in flight finish, and ends what does not in time. @param abandon ends what it waits for */
export async function shutDownGracefully(app: FastifyInstance, abandon: () => void): Promise<void> {
  const finished = new AbortController();
  // A connection that is kept becomes idle with its last answer.
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
