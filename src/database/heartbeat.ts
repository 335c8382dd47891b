import { setImmediate, setTimeout } from 'node:timers/promises';
import { hasNoRoom } from './error-causes.js';

/** The time between two pings of the server. */
const EVERY_MS = 500;

/** A server that does not respond to a ping for this long counts as silent. */
const SILENT_AFTER_MS = 1_200;

export interface Heartbeat {
  /**
   * Whether the last ping failed. A server counts as available if it has no room for another connection, or if it ignored the
   * ping but has responded on another connection since.
   */
  isUnavailable(): boolean;
  stop(): Promise<void>;
}

/** A connection for pings alone: a ping that waits behind a slow query must not count as silence. */
export interface HeartbeatConnection {
  ping(): Promise<unknown>;
  end(): Promise<void>;
}

/** The connections to the server other than that of the heartbeat. */
export interface Traffic {
  /** When one of these connections last received a response, as `performance.now()`. */
  readonly respondedAt: number;
  /** Closes these connections, so that queries that wait for a response fail. */
  abandon(): void;
}

/**
 * Pings a server regularly, so that requests fail at once while it is unavailable instead of each waiting for a timeout. If the
 * server is silent on all connections, like a host that has vanished, the heartbeat closes them, so that waiting queries fail.
 */
export function startHeartbeat(connect: () => Promise<HeartbeatConnection>, others: Traffic): Heartbeat {
  const stopping = new AbortController();
  let isUnavailable = false;

  const beat = async (connection: HeartbeatConnection | null): Promise<HeartbeatConnection | null> => {
    const opened = connection ? Promise.resolve(connection) : connect();
    const response = opened
      .then((to) => to.ping())
      .then(
        () => 'available' as const,
        (error: unknown) => (hasNoRoom(error) ? ('full' as const) : ('unavailable' as const)),
      );
    const pingedAt = performance.now();
    const state = await withinLimit(response);
    // Silence on this connection is no outage if the server has responded on another connection since the ping.
    isUnavailable = state === 'unavailable' || (state === 'silent' && others.respondedAt < pingedAt);
    if (state === 'silent' && isUnavailable) others.abandon();
    if (state === 'available') return opened;
    void opened.then((broken) => broken.end()).catch(() => undefined);
    return null;
  };

  const run = async (): Promise<void> => {
    let connection: HeartbeatConnection | null = null;
    while (!stopping.signal.aborted) {
      connection = await beat(connection);
      await setTimeout(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    await connection?.end().catch(() => undefined);
  };

  const running = run();
  return {
    isUnavailable: () => isUnavailable,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function withinLimit<State extends string>(response: Promise<State>): Promise<State | 'silent'> {
  const timeout = new AbortController();
  const silence = setTimeout(SILENT_AFTER_MS, 'silent' as const, { signal: timeout.signal }).catch(() => 'silent' as const);
  const first = await Promise.race([response, silence]);
  timeout.abort();
  if (first !== 'silent') return first;
  // This process may have been too busy to read a response that has arrived, so the event loop gets one more turn.
  await setImmediate();
  return Promise.race([response, setImmediate('silent' as const)]);
}
