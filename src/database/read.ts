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
   * Whether the query is a prepared statement, which PostgreSQL parses once per connection. PostgreSQL also keeps one plan,
   * unless plans for the values look cheaper (docs/decisions/035-one-plan.md). This suits the few query texts that run often.
   */
  readonly isPrepared?: boolean;
  /** Whether each row is a `TextRow` instead of an object with parsed values. */
  readonly isText?: boolean;
  /** For rows as text: the number of characters after which no row is kept, and the read fails with `ReadTooLargeError`. */
  readonly maxCharacters?: number;
  /** Cancels the query once it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** The values of a row in the order of its columns, as PostgreSQL writes them. */
export type TextRow = readonly (string | null)[];

export type Read = <Row extends object>(query: Query, options?: ReadOptions) => Promise<Row[]>;

/** The rows of a query are larger than the reader can hold. */
export class ReadTooLargeError extends Error {
  /** @param fittingRows how many of the first rows fit, at least 1; a row with null in its first column does not count */
  constructor(readonly fittingRows: number) {
    super('The rows of a query are larger than its reader can hold.');
  }
}

/** Creates a function that reads through a pool. @param prepares whether prepared statements stay usable on a connection */
export function createRead(pool: Pool, prepares: boolean): Read {
  return async <Row extends object>(query: Query, options: ReadOptions = {}) => {
    const { isPrepared = false, signal } = options;
    const config = { ...toQueryConfig(query, options), ...(prepares && isPrepared && { name: nameOf(query.text) }) };
    const { rows } = await (signal ? queryCancellable<Row>(pool, config, signal) : pool.query<Row>(config));
    config.types?.check();
    return rows;
  };
}

/** Returns a query in the form of the driver. */
export function toQueryConfig({ text, values }: Query, { isText = false, maxCharacters }: ReadOptions = {}) {
  return { text, values: [...values], ...(isText && { rowMode: 'array', types: createTextParsers(maxCharacters) }) };
}

/**
 * Each row counts this many characters beyond its texts, for its objects in memory and its field names in a response. A response
 * counts at least 300 (events/response-size.ts). With less here, a page that the driver accepts would be too large for the response.
 */
const ROW_OVERHEAD = 400;

/**
 * Creates the parsers of one query, which keep values as text. The driver requests a parser for each column, in their order. A
 * row that begins after `maxCharacters` is not kept. The row before it is kept as a whole, so at least one row is kept.
 */
function createTextParsers(maxCharacters = Number.POSITIVE_INFINITY) {
  let [columns, characters, rows, isFull] = [0, 0, 0, false];
  const parseFirst = (text: string) => {
    if (characters > maxCharacters) isFull = true;
    else rows += 1;
    characters += ROW_OVERHEAD;
    return isFull ? null : text;
  };
  const parseOther = (text: string) => {
    if (isFull) return null;
    characters += text.length;
    return text;
  };
  return {
    getTypeParser() {
      columns += 1;
      return columns === 1 ? parseFirst : parseOther;
    },

    /** @throws ReadTooLargeError if a row was not kept */
    check() {
      if (isFull) throw new ReadTooLargeError(rows);
    },
  };
}

const names = new Map<string, string>();

/** Names a prepared statement by a hash, because PostgreSQL cuts names off after 63 characters. */
function nameOf(text: string): string {
  const name = names.get(text) ?? hash('sha256', text).slice(0, 32);
  names.set(text, name);
  return name;
}
