import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible';
import { isUnwritable } from '../database/database-errors.js';
import type { Database } from '../database/open.js';

export interface LimitOptions {
  /** Keeps the counts of one limit apart from those of others. */
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
}

/** Counts points per key in windows of time, also beyond the limit; then, it throws what it has counted. */
export type Limiter = Pick<RateLimiterAbstract, 'consume'>;

/** One count for all gateways on a PostgreSQL server, or one for each process. */
export type CreateLimiter = (options: LimitOptions) => Limiter;

/** In a table of the gateway's own database; the embedded one has one gateway alone. */
export function createSharedLimiters({ kind, read }: Pick<Database, 'kind' | 'read'>): CreateLimiter {
  if (kind === 'embedded') return createProcessLimiters;
  const storeClient = {
    async query({ text, values }: { text: string; values: unknown[] }) {
      const rows = await read({ text, values }, 'prepared');
      return { rows, rowCount: rows.length };
    },
  };
  return (options) => {
    const shared = new RateLimiterPostgres({
      storeClient,
      storeType: 'client',
      tableName: 'gateway_rate_limit',
      tableCreated: true,
      keyPrefix: options.name,
      points: options.points,
      duration: options.seconds,
    });
    const own = createProcessLimiters(options);
    return {
      // A database that only reads, or is full, still serves reads; meanwhile each gateway counts for itself.
      consume: (key, points) =>
        shared.consume(key, points).catch((error: unknown) => {
          if (isUnwritable(error)) return own.consume(key, points);
          throw error;
        }),
    };
  };
}

/** Beside a server, in whose database nothing is kept. */
export const createProcessLimiters: CreateLimiter = ({ name, points, seconds }) =>
  new RateLimiterMemory({ keyPrefix: name, points, duration: seconds });
