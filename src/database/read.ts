import { hash } from 'node:crypto';
import type pg from 'pg';
import { queryCancellable } from './cancellable-query.js';
import type { Pool } from './pool.js';
import { type TextLimit, TextRowQuery } from './text-row-query.js';

/** A query text and its parameters, as built by `Prisma.sql`. */
export interface Query {
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface ReadOptions {
  /**
   * Whether the query is a prepared statement, which PostgreSQL parses once per connection; false by default. PostgreSQL also
   * reuses one plan for all values, unless plans for the given values look cheaper (docs/decisions/035-one-plan.md). A prepared
   * statement suits the few query texts that run often.
   */
  readonly isPrepared?: boolean;
  /** Reads each row as a `TextRow`, not as an object with parsed values, and stops after a number of characters (`TextLimit`). */
  readonly texts?: Omit<TextLimit, 'signal'>;
  /** Cancels the query soon after the signal was aborted. */
  readonly signal?: AbortSignal | undefined;
}

export type Read = <Row extends object>(query: Query, options?: ReadOptions) => Promise<Row[]>;

/** Creates a function that reads through a pool. @param prepares whether prepared statements stay usable on a connection */
export function createRead(pool: Pool, prepares: boolean): Read {
  return async <Row extends object>(query: Query, options: ReadOptions = {}) => {
    const { isPrepared = false, signal } = options;
    // Reads `text` only once, because Prisma joins its parts at each access.
    const { text } = query;
    const statement = prepares && isPrepared ? toStatement(text) : { text };
    const config = toDriverQuery({ text: statement.text, values: query.values }, options, statement.name);
    const { rows } = await (signal ? queryCancellable<Row>(pool, config, signal) : pool.query<Row>(config));
    return rows;
  };
}

/** Returns a query in the form of the driver. @param name the name of a prepared statement; undefined for any other query */
export function toDriverQuery({ text, values }: Query, { texts, signal }: ReadOptions = {}, name?: string): pg.QueryConfig {
  const config = { text, values: [...values], ...(name !== undefined && { name }) };
  return texts ? new TextRowQuery(config, { signal, ...texts }) : config;
}

/** A query text; with a name if it is a prepared statement. */
interface Statement {
  readonly text: string;
  readonly name?: string;
}

const statements = new Map<string, Statement>();

/**
 * Names a prepared statement by a hash of its text, because PostgreSQL cuts names off after 63 bytes. Equal texts share one
 * statement. Its text is always the same string object, so that `pg` does not compare it character by character.
 */
function toStatement(text: string): Statement {
  const statement = statements.get(text) ?? { text, name: hash('sha256', text).slice(0, 32) };
  statements.set(text, statement);
  return statement;
}
