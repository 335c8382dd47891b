import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { GatewayError } from '../errors.js';
import { CANCEL_REQUEST } from './cancel-request.js';

/** The fields of a `pg` client that identify its PostgreSQL process. */
interface Backend {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
}

/** How long a canceled query waits until PostgreSQL has handled the cancel request. */
const CANCEL_MS = 1_000;

/** How long the connection of a cancel request may stay open: longer than `cancel_wait_timeout` of pgbouncer, which is 10 s. */
const CLOSE_MS = 30_000;

/**
 * Runs a query, and cancels it in PostgreSQL once `signal` is aborted. http/request-signal.ts aborts the signal when nobody waits
 * for the response any more. Every query also has a deadline, which is a setting of its connection (pool.ts).
 * @throws GatewayError ClientClosedRequest once aborted
 */
export async function queryCancellable<Row extends object>(
  pool: pg.Pool,
  query: pg.QueryConfig,
  signal: AbortSignal,
): Promise<pg.QueryResult<Row>> {
  if (signal.aborted) throw clientClosedRequest();
  const client = await pool.connect();
  // The signal may have been aborted while the query waited for a connection.
  if (signal.aborted) {
    client.release();
    throw clientClosedRequest();
  }
  let canceling: Promise<void> | null = null;
  const cancel = () => {
    canceling = requestCancel(client as unknown as Backend, pool.options.stream).catch(() => undefined);
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const result = await client.query<Row>(query);
    await release(client, canceling);
    return result;
  } catch (error) {
    await release(client, canceling ?? Promise.resolve());
    throw signal.aborted ? clientClosedRequest() : error;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** Returns the connection to the pool, or closes it after an error or a cancel request, which could cancel the next query. */
async function release(client: pg.PoolClient, canceling: Promise<void> | null): Promise<void> {
  await canceling;
  client.release(canceling !== null);
}

/**
 * Sends the cancel request on a connection of its own, as the protocol requires. PostgreSQL closes that connection. The gateway
 * gives it 30 seconds for that, because pgbouncer may crash if its client closes the connection first
 * (https://github.com/pgbouncer/pgbouncer/issues/801).
 * @param createStream creates the socket to the embedded database; undefined for PostgreSQL
 */
async function requestCancel(
  { host, port, processID, secretKey }: Backend,
  createStream: pg.PoolConfig['stream'],
): Promise<void> {
  const request = Buffer.alloc(16);
  [request.length, CANCEL_REQUEST, processID, secretKey].forEach((value, index) => {
    request.writeInt32BE(value, index * 4);
  });
  const stream = createStream?.() as Socket | undefined;
  const socket =
    stream?.connect(port, host) ?? connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  socket.setTimeout(CLOSE_MS, () => socket.destroy()).unref();
  socket
    .on('error', () => undefined)
    .resume()
    .once('connect', () => socket.write(request));
  await Promise.race([once(socket, 'close'), wait(CANCEL_MS, undefined, { ref: false })]);
}

function clientClosedRequest(): GatewayError {
  return new GatewayError('ClientClosedRequest', 'The client closed the request before the response.');
}
