import { hash } from 'node:crypto';
import type { Pool } from './pool.js';
import { queryCancellable } from './cancellable-query.js';

/** A query with its values apart; `Prisma.sql` makes one. */
export interface Query {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Runs a query. One that is `prepared` is planned once per connection, for any values: for those of which there are few, each with one
 * plan that is always right. All others are planned for their values each time. Once `signal` is aborted, PostgreSQL gives the query up.
 */
export type Read = <Row extends object>(query: Query, kind?: 'prepared' | undefined, signal?: AbortSignal) => Promise<Row[]>;

/** Reads on the connections of a pool. @param prepares whether a connection is the same one from query to query, as it is not behind a pooler */
export function createRead(pool: Pool, prepares: boolean): Read {
  return async <Row extends object>({ text, values }: Query, kind?: 'prepared', signal?: AbortSignal) => {
    const query = { text, values: [...values], ...(prepares && kind && { name: nameOf(text) }) };
    const { rows } = await (signal ? queryCancellable<Row>(pool, query, signal) : pool.query<Row>(query));
    return rows;
  };
}

const names = new Map<string, string>();

/** Of a fixed length: PostgreSQL cuts off what is longer than 63 characters. */
function nameOf(text: string): string {
  const name = names.get(text) ?? hash('sha256', text).slice(0, 32);
  names.set(text, name);
  return name;
}
