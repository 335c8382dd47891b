import pg from 'pg';

/** The values of a row in the order of its columns, as PostgreSQL writes them. */
export type TextRow = readonly (string | null)[];

/** Limits how many rows a query reads as text. */
export interface TextLimit {
  /**
   * Once the rows exceed this many characters, no further row is kept. The row that exceeds the limit is kept as a whole, so at
   * least one row is kept. A row with null in its first column is always kept, and does not count.
   */
  readonly characters: number;
  /** Called after the last row if rows are missing because of the limit. */
  readonly onCut: () => void;
  /**
   * The most rows that the query can return. Above `FIRST_PORTION`, the rows are read in portions, so that PostgreSQL stops soon
   * after the limit. PostgreSQL uses no parallel workers for such a query. Without this number, all rows are read at once.
   */
  readonly rowsInPortions?: number;
  /** Once aborted, ends the query after the current portion, because PostgreSQL ignores a cancel request between two portions. */
  readonly signal?: AbortSignal | undefined;
}

/** A query in the form of the driver. */
interface QueryParts {
  readonly text: string;
  readonly values: unknown[];
  readonly name?: string;
}

/** The functions of a connection of `pg` that continue or end a query. */
interface Connection {
  execute(portal: { readonly portal: ''; readonly rows: number }): void;
  flush(): void;
  sync(): void;
}

const connections = new WeakMap<Connection, Connection>();

/**
 * Returns an object that inherits from the connection, but sends no Describe messages. `prepare` of `pg` must assign nothing to
 * it.
 */
function withoutDescribe(connection: Connection): Connection {
  const known = connections.get(connection);
  if (known) return known;
  const silent: Connection = Object.create(connection, { describe: { value: () => undefined } });
  connections.set(connection, silent);
  return silent;
}

/** The members of a query of `pg` that its types lack. */
interface QueryMembers {
  name: string | undefined;
  /** The number of rows in the first portion; undefined for a query that is not in portions. */
  rows: number | undefined;
  /** Sends the query by the extended query protocol. */
  prepare(connection: Connection): void;
}

const DriverQuery = pg.Query as unknown as new (text: string, values: unknown[]) => pg.Query & QueryMembers;

/** The error of a query that was ended after a portion because its signal was aborted. Its connection can run other queries. */
export class EndedEarlyError extends Error {}

type Callback = (error: Error | null, result?: { readonly rows: TextRow[] }) => void;

/**
 * The limit of a read counts each row as this many characters in addition to its texts, for the row's objects in memory and its
 * field names in a response. The number is greater than 300, the minimum of an event in events/response-size.ts. An ordinary page
 * within the limit of a read is therefore also within the limit of a response.
 */
const ROW_OVERHEAD = 400;

/** The number of rows in the first portion. For a query that can return no more rows than this, portions would only take time. */
const FIRST_PORTION = 128;

/** The least number of rows in a further portion. Otherwise, short rows that follow large rows would take many portions. */
const LEAST_PORTION = 16;

/**
 * A query of `pg` that keeps values as text, up to a limit. `pg` calls a method for each message of PostgreSQL's extended query
 * protocol (https://www.postgresql.org/docs/17/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY). If the rows are read in portions,
 * PostgreSQL suspends the query after each portion. This class then requests the next portion or ends the query.
 */
export class TextRowQuery extends DriverQuery {
  readonly #limit: TextLimit;
  readonly #isInPortions: boolean;
  readonly #rows: TextRow[] = [];
  #characters = 0;
  #counted = 0;
  #isCut = false;
  #isAborted = false;
  #isEnding = false;
  declare readonly text: string;
  declare readonly callback: Callback;

  constructor({ text, values, name }: QueryParts, limit: TextLimit) {
    const isInPortions = (limit.rowsInPortions ?? 0) > FIRST_PORTION;
    // Passes no configuration object, because `pg` would copy it property by property.
    super(text, values);
    this.name = name;
    if (isInPortions) this.rows = FIRST_PORTION;
    this.#limit = limit;
    this.#isInPortions = isInPortions;
  }

  /** Sends the query without a Describe message. The response would describe the columns, which only parsed values need. */
  override prepare(connection: Connection): void {
    super.prepare(withoutDescribe(connection));
  }

  /**
   * Ignores the description of the columns, which PostgreSQL sends in the simple protocol: for a query without name and values.
   */
  handleRowDescription(): void {}

  handleDataRow({ fields }: { readonly fields: TextRow }): void {
    const isCounted = fields[0] !== null;
    if (isCounted && this.#characters > this.#limit.characters) {
      this.#isCut = true;
      return;
    }
    this.#rows.push(fields);
    if (!isCounted) return;
    this.#counted += 1;
    this.#characters += ROW_OVERHEAD;
    for (const field of fields) if (field !== null) this.#characters += field.length;
  }

  handlePortalSuspended(connection: Connection): void {
    if (this.#isCut || this.#limit.signal?.aborted) {
      this.#isAborted = !this.#isCut;
      this.#end(connection);
      return;
    }
    connection.execute({ portal: '', rows: this.#countNext() });
    connection.flush();
  }

  handleCommandComplete(_message: unknown, connection: Connection): void {
    this.#end(connection);
  }

  handleError(error: Error, connection: Connection): void {
    // After an error, too, a query in portions has to be ended by a Sync message. If the query was never sent, the message is
    // harmless: the pool closes the connection, so nothing reads the response.
    this.#end(connection);
    this.callback(error);
  }

  handleReadyForQuery(): void {
    if (this.#isAborted) {
      this.callback(new EndedEarlyError('The query was aborted between two portions.'));
      return;
    }
    if (this.#isCut) this.#limit.onCut();
    this.callback(null, { rows: this.#rows });
  }

  /** Returns the size of the next portion: the rows that probably fit, and one more, which tells whether rows are missing. */
  #countNext(): number {
    const average = this.#characters / Math.max(1, this.#counted);
    const rest = this.#limit.characters - this.#characters;
    const fitting = rest < 0 ? 0 : Math.floor(rest / Math.max(1, average)) + 1;
    return Math.min(this.#limit.rowsInPortions ?? 0, Math.max(LEAST_PORTION, fitting + 1));
  }

  /** Ends a query in portions by a Sync message. The response to a second Sync message would end the connection's next query. */
  #end(connection: Connection): void {
    if (!this.#isInPortions || this.#isEnding) return;
    this.#isEnding = true;
    connection.sync();
  }
}
