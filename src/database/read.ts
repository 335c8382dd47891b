import { hash } from 'node:crypto';
import { queryCancellable } from './cancellable-query.js';
import type { Pool } from './pool.js';

/** A query text and its parameters, as built by `Prisma.sql`. */
export interface Query {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Runs a query, and cancels it once `signal` is aborted. A `prepared` query is planned once per connection, for any values: this
 * suits the few query texts for which one plan is always right. PostgreSQL plans every other query for its values each time.
 */
export type Read = <Row extends object>(query: Query, kind?: 'prepared' | undefined, signal?: AbortSignal) => Promise<Row[]>;

/** Reads through a pool. @param prepares false behind a pooler, where each query may run on another connection */
export function createRead(pool: Pool, prepares: boolean): Read {
  return async <Row extends object>({ text, values }: Query, kind?: 'prepared', signal?: AbortSignal) => {
    const query = { text, values: [...values], ...(prepares && kind && { name: nameOf(text) }) };
    const { rows } = await (signal ? queryCancellable<Row>(pool, query, signal) : pool.query<Row>(query));
    return rows;
  };
}

const names = new Map<string, string>();

/** Names a prepared statement by a hash, because PostgreSQL cuts names off after 63 characters. */
function nameOf(text: string): string {
  const name = names.get(text) ?? hash('sha256', text).slice(0, 32);
  names.set(text, name);
  return name;
}
