import { databaseAway, isUnreachable } from './availability.js';
import { startHeartbeat } from './heartbeat.js';
import { createClient, createPool, type Pool, type PoolOptions, toPoolConfig } from './pool.js';
import { createRead, type Query, type Read } from './read.js';
import { traceRead } from './spans.js';

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
  isAway(): boolean;
  close(): Promise<void>;
}

/** What the primary has written so far: whoever has reached it has all that was committed before. */
export async function readPosition(primary: Read): Promise<Position> {
  const [position] = await primary<Position>(POSITION, 'prepared');
  if (!position) throw databaseAway();
  return position;
}

const POSITION = {
  text: `SELECT pg_current_wal_insert_lsn()::text AS lsn, extract(epoch FROM pg_postmaster_start_time())::text AS "startedAt"`,
  values: [],
};

const IDENTITY = {
  text: 'SELECT system_identifier::text AS "system", pg_is_in_recovery() AS "isStandby" FROM pg_control_system()',
  values: [],
};

interface Identity {
  readonly system: string;
  readonly isStandby: boolean;
}

export interface ReplicaOptions extends PoolOptions {
  /** Whether each query is a span of a trace. */
  readonly traced: boolean;
}

export interface Replicas {
  readonly all: readonly Replica[];
  /** How many answer, and how many do not. */
  count(): { readonly up: number; readonly away: number };
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
      const away = all.filter((replica) => replica.isAway()).length;
      return { up: all.length - away, away };
    },
    close,
  };
}

async function openReplica(url: string, primary: Read, { traced, ...options }: ReplicaOptions): Promise<Replica> {
  const [expected] = await primary<Identity>(IDENTITY);
  const refuseOther = async (read: Read): Promise<void> => {
    const [found] = await read<Identity>(IDENTITY);
    if (found?.isStandby && found.system === expected?.system) return;
    throw new ReplicaError(`${hostOf(url)} in DATABASE_REPLICA_URLS is no streaming replica of the server in DATABASE_URL.`);
  };

  const pool = createPool(url, toPoolConfig(options));
  const onReplica = createRead(pool, true);
  await refuseOther(onReplica).catch(async (error: unknown) => {
    if (isUnreachable(error)) return;
    await pool.end();
    throw error;
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
      const query = { text: 'SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS "hasReached"', values: [lsn] };
      const [row] = await onReplica<{ hasReached: boolean | null }>(query, 'prepared').catch(() => []);
      return row?.hasReached === true;
    },
    isAway: heartbeat.isAway,
    async close() {
      await heartbeat.stop();
      await pool.end();
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

/** A replica ends a query that would hold up its changes for long. */
function isConflict(error: unknown): boolean {
  return (error as { code?: string }).code === '40001';
}

function hostOf(url: string): string {
  return new URL(url).host;
}
