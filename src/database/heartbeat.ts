import { setImmediate, setTimeout } from 'node:timers/promises';
import { hasNoRoom } from './database-errors.js';

/** How often the server is asked whether it is there. */
const EVERY_MS = 500;

/** How long it has to say so. */
const SILENT_AFTER_MS = 1_200;

export interface Heartbeat {
  /** Whether the server did not answer when it was last asked. */
  isUnavailable(): boolean;
  stop(): Promise<void>;
}

/** A connection that is used for nothing else: work that waits for others must not count as silence. */
export interface HeartbeatConnection {
  ping(): Promise<unknown>;
  end(): Promise<void>;
}

/** Others who talk to the server. */
export interface Traffic {
  /** When one of them last had an answer. */
  readonly respondedAt: number;
  /** Ends what waits for an answer. */
  abandon(): void;
}

/**
 * Asks a server again and again whether it is there, so that requests learn at once that it is not, and need not find out for themselves.
 * When it says nothing at all, also to others, as a host does that has vanished, what waits for it is ended: it may wait for long.
 */
export function startHeartbeat(connect: () => Promise<HeartbeatConnection>, others: Traffic): Heartbeat {
  const stopping = new AbortController();
  let isUnavailable = false;

  const beat = async (connection: HeartbeatConnection | null): Promise<HeartbeatConnection | null> => {
    const opened = connection ? Promise.resolve(connection) : connect();
    const answer = opened
      .then((to) => to.ping())
      .then(
        () => 'here' as const,
        (error: unknown) => (hasNoRoom(error) ? ('refused' as const) : ('away' as const)),
      );
    const askedAt = performance.now();
    const state = await inTime(answer);
    // Where a busy server has kept this connection waiting, it may have answered others.
    isUnavailable = state === 'away' || (state === 'silent' && others.respondedAt < askedAt);
    if (state === 'silent' && isUnavailable) others.abandon();
    if (state === 'here') return opened;
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

async function inTime<State extends string>(answer: Promise<State>): Promise<State | 'silent'> {
  const timeout = new AbortController();
  const silence = setTimeout(SILENT_AFTER_MS, 'silent' as const, { signal: timeout.signal }).catch(() => 'silent' as const);
  const first = await Promise.race([answer, silence]);
  timeout.abort();
  if (first !== 'silent') return first;
  // Where this process was busy itself, the answer may be there, and was not read yet.
  await setImmediate();
  return Promise.race([answer, setImmediate('silent' as const)]);
}
