import pg from 'pg';
import { TextRowQuery } from './text-row-query.js';

/** How long a request waits for a connection before the database counts as unavailable. */
export const CONNECT_TIMEOUT_MS = 2_000;

/** The options of `pg`, with `queryTimeoutMs` instead of `query_timeout` (see `GatewayClient`). */
export interface ClientOptions extends pg.PoolConfig {
  /** The time after which a query without a complete response fails; 0, the default, for no limit. */
  readonly queryTimeoutMs?: number;
}

type QueryCallback = (error: Error | null, result?: unknown) => void;

/**
 * A client that closes its socket if connecting fails, for example at the login. `pg` would wait for the server to close the
 * socket, and a command of the gateway would not exit until then.
 *
 * The client limits the time of its queries itself. The time limit of `pg` assigns a function literal to a property of the query.
 * V8 allocates such a function in its old generation. The function refers to the rows of the query, so they would survive until
 * the next full garbage collection (docs/decisions/044-pages-beside-postgraphile.md).
 */
export class GatewayClient extends pg.Client {
  readonly #queryTimeoutMs: number;

  constructor(config: ClientOptions = {}) {
    super(config);
    this.#queryTimeoutMs = config.queryTimeoutMs ?? 0;
    // Ignores a lost connection: its query fails, or the pool replaces it. Without this listener, the error would end the process
    // if it came with the packet that completes the login, before the pool adds its own listener.
    this.on('error', () => undefined);
  }

  /**
   * Runs a query text, a configuration or a `TextRowQuery`, with optional values and callback. Without a callback, returns a
   * promise. Any other object with a `submit` method, such as the stream of a COPY, runs without a time limit.
   */
  override query(...given: unknown[]): never {
    const args = given.filter((argument) => argument !== undefined);
    const [query] = args;
    if (typeof (query as pg.Submittable).submit === 'function' && !(query instanceof TextRowQuery))
      return super.query(query as never) as never;
    const run = (values: unknown[], callback: QueryCallback) =>
      super.query(...([...values, this.#limitTime(callback)] as unknown as [never]));
    const callback = args.at(-1);
    if (typeof callback === 'function') return run(args.slice(0, -1), callback as QueryCallback) as never;
    return new Promise((resolve, reject) => {
      run(args, (error, result) => (error ? reject(error) : resolve(result)));
    }) as never;
  }

  /** Wraps a callback so that it gets an error after the time limit. The pool then closes the connection. */
  #limitTime(callback: QueryCallback): QueryCallback {
    if (this.#queryTimeoutMs === 0) return callback;
    let isOver = false;
    const timer = setTimeout(() => {
      isOver = true;
      callback(new Error('Query read timeout'));
    }, this.#queryTimeoutMs);
    return (error, result) => {
      clearTimeout(timer);
      if (!isOver) callback(error, result);
    };
  }

  override connect(): Promise<this>;
  override connect(callback: (error?: Error) => void): void;
  override connect(callback?: (error?: Error) => void): Promise<this> | undefined {
    const connected = super.connect().then(
      () => this,
      (error: unknown) => {
        destroySocket(this);
        throw error;
      },
    );
    if (!callback) return connected;
    connected.then(() => callback(undefined), callback);
    return undefined;
  }
}

export function destroySocket(client: pg.ClientBase): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

/** Creates a client outside of the pools. The caller has to connect it. */
export function createClient(server: pg.ClientConfig): pg.Client {
  return new GatewayClient({ ...server, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true });
}
