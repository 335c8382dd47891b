import { GatewayError } from '../errors.js';
import { databaseUnavailable, isUnreachable } from './database-errors.js';
import { startHeartbeat } from './heartbeat.js';
import { createClient, createPool, type Pool, type PoolOptions, toPoolConfig } from './pool.js';
import { createRead, type Query, type Read } from './read.js';
import { traceRead } from './query-spans.js';

/** How long a replica has to tell how far it is; then the primary is read. */
const POSITION_TIMEOUT_MS = 250;

/** Why a server cannot be read from instead of the primary. */
export class ReplicaError extends Error {}

/** How far a server has written its log of changes, and which start of which server it is. */
export interface Position {
  readonly lsn: string;
  readonly startedAt: string;
}

/** A streaming replica. */
export interface Replica {
  /** On the replica, or where it goes away meanwhile, or has to choose between the query and its changes, on the primary. */
  readonly read: Read;
  /** Whether it has all that the primary had written at a position. */
  hasReached(position: Position): Promise<boolean>;
  isUnavailable(): boolean;
  /** Ends what runs, as it is. */
  abandon(): void;
  close(): Promise<void>;
}

/** What the primary has written so far: whoever has reached it has all that was committed before. */
export async function readPosition(primary: Read): Promise<Position> {
  const [position] = await primary<Position>(POSITION, 'prepared');
  if (!position) throw databaseUnavailable();
  return position;
}

const POSITION = {
  text: `SELECT pg_current_wal_flush_lsn()::text AS lsn, extract(epoch FROM pg_postmaster_start_time())::text AS "startedAt"`,
  values: [],
};

const IDENTITY = {
  text: `SELECT system_identifier::text AS system, pg_is_in_recovery() AS "isStandby",
      EXISTS (SELECT FROM pg_stat_wal_receiver) AS "isFollowing"
    FROM pg_control_system()`,
  values: [],
};

interface Identity {
  readonly system: string;
  readonly isStandby: boolean;
  /** Whether it is connected to a server that it follows; one that was left behind by a failover is not. */
  readonly isFollowing: boolean;
}

export interface ReplicaOptions extends PoolOptions {
  /** Whether each query is a span of a trace. */
  readonly traced: boolean;
}

export interface Replicas {
  readonly all: readonly Replica[];
  /** How many answer, and how many do not. */
  count(): { readonly up: number; readonly away: number };
  /** Ends what runs, as it is. */
  abandon(): void;
  close(): Promise<void>;
}

/**
 * Opens replicas of the database that `primary` reads. One that is away now is used once it is back.
 * @throws ReplicaError if a server is no streaming replica of it
 */
export async function openReplicas(urls: readonly string[], primary: Read, options: ReplicaOptions): Promise<Replicas> {
  const opened = await Promise.allSettled(urls.map((url) => openReplica(url, primary, options)));
  const all = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const close = async () => {
    await Promise.all(all.map((replica) => replica.close()));
  };
  const failed = opened.find((result) => result.status === 'rejected');
  if (failed) {
    await close();
    throw failed.reason;
  }
  return {
    all,
    count: () => {
      const away = all.filter((replica) => replica.isUnavailable()).length;
      return { up: all.length - away, away };
    },
    abandon: () => {
      for (const replica of all) replica.abandon();
    },
    close,
  };
}

async function openReplica(url: string, primary: Read, { traced, ...options }: ReplicaOptions): Promise<Replica> {
  const [expected] = await primary<Identity>(IDENTITY);
  const { host } = new URL(url);
  const refuseOther = async (read: Read): Promise<void> => {
    const [found] = await read<Identity>(IDENTITY);
    if (!found?.isStandby || found.system !== expected?.system) {
      throw new ReplicaError(`${host} in DATABASE_REPLICA_URLS is no streaming replica of the server in DATABASE_URL.`);
    }
    if (!found.isFollowing) throw databaseUnavailable();
  };

  const pool = createPool(url, toPoolConfig(options));
  // Of its own: behind searches, an answer would come too late.
  const positions = createPool(url, { max: 1, connectionTimeoutMillis: POSITION_TIMEOUT_MS, query_timeout: POSITION_TIMEOUT_MS });
  const onReplica = createRead(pool, true);
  const onPositions = createRead(positions, true);
  const end = async () => {
    await Promise.all([pool.end(), positions.end()]);
  };
  await refuseOther(onReplica).catch(async (error: Error) => {
    if (error instanceof GatewayError || isUnreachable(error)) return;
    await end();
    throw error instanceof ReplicaError ? error : new ReplicaError(`${host} in DATABASE_REPLICA_URLS refused: ${error.message}`);
  });
  const heartbeat = watch(url, pool, refuseOther);
  const read: Read = <Row extends object>(query: Query, kind?: 'prepared', signal?: AbortSignal) =>
    onReplica<Row>(query, kind, signal).catch((error: unknown) => {
      if (!isUnreachable(error) && !isConflict(error)) throw error;
      return primary<Row>(query, kind, signal);
    });
  return {
    read: traced ? traceRead(read) : read,
    async hasReached({ lsn }) {
      const query = {
        text: 'SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= $1::pg_lsn AS "hasReached"',
        values: [lsn],
      };
      const [row] = await onPositions<{ hasReached: boolean | null }>(query, 'prepared').catch(() => []);
      return row?.hasReached === true;
    },
    isUnavailable: heartbeat.isUnavailable,
    abandon() {
      pool.abandon();
      positions.abandon();
    },
    async close() {
      await heartbeat.stop();
      await end();
    },
  };
}

function watch(url: string, pool: Pool, refuseOther: (read: Read) => Promise<void>) {
  const connect = async () => {
    const client = createClient(url);
    await client.connect();
    const read: Read = async ({ text, values }) => (await client.query(text, [...values])).rows;
    return { ping: () => refuseOther(read), end: () => client.end() };
  };
  return startHeartbeat(connect, pool);
}

/** A replica ends a query that would hold up its changes for long, or that waits for them while they wait for it. */
function isConflict(error: unknown): boolean {
  return /^40/.test((error as { code?: string }).code ?? '');
}
