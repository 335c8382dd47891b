import { GatewayError, OperatorError } from '../errors.js';
import { createClient } from './client.js';
import { toConnectError } from './connect-error.js';
import { databaseUnavailable, isUnreachable } from './error-causes.js';
import { startHeartbeat } from './heartbeat.js';
import { createPool, type Pool, type PoolOptions, toPoolConfig } from './pool.js';
import { traceRead } from './query-spans.js';
import { createRead, type Query, type Read, type ReadOptions } from './read.js';
import { PRIMARY_RUN } from './server.js';

/** How long a replica may take to report its position before the gateway reads the primary instead. */
const POSITION_TIMEOUT_MS = 250;

/** Says why a server cannot be used as a replica. */
export class ReplicaError extends OperatorError {}

/** A position in the primary's write-ahead log. `run` identifies the run of the primary, which a restart ends (server.ts). */
export interface Position {
  readonly lsn: string;
  readonly run: string;
}

/** A streaming replica. */
export interface Replica {
  /**
   * Queries the replica. Queries the primary instead if the replica is unavailable, or if the replica cancels the query because
   * the query conflicts with the replay of changes.
   */
  readonly read: Read;
  /**
   * Whether the replica has replayed the primary's write-ahead log up to a position. False if the replica does not respond in
   * time.
   */
  hasReached(position: Position): Promise<boolean>;
  isUnavailable(): boolean;
  /** Closes the connections, so that running queries fail. */
  abandon(): void;
  close(): Promise<void>;
}

/**
 * Reads how far the primary has flushed its write-ahead log to disk. A replica that has reached this position has every commit
 * before it.
 */
export async function readPosition(primary: Read): Promise<Position> {
  const [position] = await primary<Position>(POSITION, { isPrepared: true });
  if (!position) throw databaseUnavailable();
  return position;
}

const POSITION = {
  text: `SELECT pg_current_wal_flush_lsn()::text AS lsn, ${PRIMARY_RUN} AS run`,
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
  /** Whether the server receives changes from another one. A standby that a failover left behind does not. */
  readonly isFollowing: boolean;
}

export interface ReplicaOptions extends PoolOptions {
  /** Whether each query gets a trace span. */
  readonly traced: boolean;
}

export interface Replicas {
  readonly all: readonly Replica[];
  /** Counts the available replicas and the unavailable ones. The keys are the values of a metric's label. */
  count(): { readonly up: number; readonly unavailable: number };
  /** Closes the connections, so that running queries fail. */
  abandon(): void;
  close(): Promise<void>;
}

/**
 * Opens replicas of the database that `primary` reads. An unavailable replica is used once it is available.
 * @throws ReplicaError if a server is not a streaming replica of that database, or ConnectError if it rejects the gateway
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
      const unavailable = all.filter((replica) => replica.isUnavailable()).length;
      return { up: all.length - unavailable, unavailable };
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
  const requireReplica = async (read: Read): Promise<void> => {
    const [found] = await read<Identity>(IDENTITY);
    if (!found?.isStandby || found.system !== expected?.system) {
      throw new ReplicaError(`${host} in DATABASE_REPLICA_URLS is not a streaming replica of the server in DATABASE_URL.`);
    }
    if (!found.isFollowing) throw databaseUnavailable();
  };

  const pool = createPool({ connectionString: url }, toPoolConfig(options));
  // The queries for positions have a pool of their own, because they would time out in a queue behind searches.
  const positions = createPool(
    { connectionString: url },
    { max: 1, connectionTimeoutMillis: POSITION_TIMEOUT_MS, queryTimeoutMs: POSITION_TIMEOUT_MS },
  );
  const onReplica = createRead(pool, true);
  const onPositions = createRead(positions, true);
  const end = async () => {
    await Promise.all([pool.end(), positions.end()]);
  };
  await requireReplica(onReplica).catch(async (error: Error) => {
    if (error instanceof GatewayError || isUnreachable(error)) return;
    await end();
    throw toConnectError(error, url, 'DATABASE_REPLICA_URLS');
  });
  const heartbeat = watch(url, pool, requireReplica);
  const read: Read = <Row extends object>(query: Query, options?: ReadOptions) =>
    onReplica<Row>(query, options).catch((error: unknown) => {
      if (!isUnreachable(error) && !isConflict(error)) throw error;
      return primary<Row>(query, options);
    });
  return {
    read: traced ? traceRead(read) : read,
    async hasReached({ lsn }) {
      const query = {
        text: 'SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= $1::pg_lsn AS "hasReached"',
        values: [lsn],
      };
      const [row] = await onPositions<{ hasReached: boolean | null }>(query, { isPrepared: true }).catch(() => []);
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

function watch(url: string, pool: Pool, requireReplica: (read: Read) => Promise<void>) {
  const connect = async () => {
    const client = createClient({ connectionString: url });
    await client.connect();
    const read: Read = async ({ text, values }) => (await client.query(text, [...values])).rows;
    return { ping: () => requireReplica(read), end: () => client.end() };
  };
  return startHeartbeat(connect, pool);
}

/** Whether a replica canceled a query that delayed the replay of changes, or deadlocked with the replay (SQLSTATE class 40). */
function isConflict(error: unknown): boolean {
  return /^40/.test((error as { code?: string }).code ?? '');
}
