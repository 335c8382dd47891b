import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible';
import { isUnwritable } from '../database/error-causes.js';
import type { Database } from '../database/open.js';

export interface LimitOptions {
  /** Separates the counts of this limit from those of other limits. */
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
}

/** Counts points per key and time window. Beyond the limit, it still counts, but throws the count as a `RateLimiterRes`. */
export type Limiter = Pick<RateLimiterAbstract, 'consume'>;

/** Creates a limiter that counts for all gateways on a PostgreSQL server, or for each process alone. */
export type CreateLimiter = (options: LimitOptions) => Limiter;

/** Counts in a table of PostgreSQL. The embedded database rarely has several gateways, so each of them counts for itself. */
export function createSharedLimiters({ kind, read }: Pick<Database, 'kind' | 'read'>): CreateLimiter {
  if (kind === 'embedded') return createProcessLimiters;
  const storeClient = {
    async query({ text, values }: { text: string; values: unknown[] }) {
      const rows = await read({ text, values }, { isPrepared: true });
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
      // A read-only or full database still serves reads. Meanwhile, each gateway counts for itself.
      consume: (key, points) =>
        shared.consume(key, points).catch((error: unknown) => {
          if (isUnwritable(error)) return own.consume(key, points);
          throw error;
        }),
    };
  };
}

/** Counts in the memory of each process. In an Unleash database, the gateway cannot store the counts. */
export const createProcessLimiters: CreateLimiter = ({ name, points, seconds }) =>
  new RateLimiterMemory({ keyPrefix: name, points, duration: seconds });
