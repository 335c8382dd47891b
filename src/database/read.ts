import { hash } from 'node:crypto';
import { queryCancellable } from './cancellable-query.js';
import type { Pool } from './pool.js';

/** A query text and its parameters, as built by `Prisma.sql`. */
export interface Query {
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface ReadOptions {
  /**
   * Whether the query is planned once per connection, for any values. This suits the few query texts for which one plan is always right.
   * PostgreSQL plans every other query for its values each time.
   */
  readonly isPrepared?: boolean;
  /** Whether each row is a `TextRow` instead of an object with parsed values. */
  readonly isText?: boolean;
  /** Cancels the query once it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** The values of a row in the order of its columns, as PostgreSQL writes them. */
export type TextRow = readonly (string | null)[];

export type Read = <Row extends object>(query: Query, options?: ReadOptions) => Promise<Row[]>;

const AS_TEXT = { rowMode: 'array', types: { getTypeParser: () => (text: unknown) => text } };

/** Reads through a pool. @param prepares false behind a pooler, where each query may run on another connection */
export function createRead(pool: Pool, prepares: boolean): Read {
  return async <Row extends object>(query: Query, options: ReadOptions = {}) => {
    const { isPrepared = false, signal } = options;
    const config = { ...toQueryConfig(query, options), ...(prepares && isPrepared && { name: nameOf(query.text) }) };
    const { rows } = await (signal ? queryCancellable<Row>(pool, config, signal) : pool.query<Row>(config));
    return rows;
  };
}

/** Returns a query in the form of the driver. */
export function toQueryConfig({ text, values }: Query, { isText = false }: ReadOptions = {}) {
  return { text, values: [...values], ...(isText && AS_TEXT) };
}

const names = new Map<string, string>();

/** Names a prepared statement by a hash, because PostgreSQL cuts names off after 63 characters. */
function nameOf(text: string): string {
  const name = names.get(text) ?? hash('sha256', text).slice(0, 32);
  names.set(text, name);
  return name;
}
