import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { GatewayError } from '../errors.js';
import { CANCEL_REQUEST } from './cancel-request.js';
import { EndedEarlyError } from './text-row-query.js';

/** The fields of a `pg` client that identify its PostgreSQL process. */
interface Backend {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
}

/**
 * How long a query may still run after its signal was aborted. Letting it end usually costs PostgreSQL less than canceling it,
 * which takes a cancel request and then a new connection.
 */
const GRACE_MS = 50;

/** How long a canceled query waits at most for PostgreSQL to handle the cancel request. */
const CANCEL_MS = 1_000;

/** How long the connection of a cancel request may stay open. Pgbouncer keeps it for `cancel_wait_timeout`, 10 s by default. */
const CLOSE_MS = 30_000;

/**
 * Runs a query, and cancels it in PostgreSQL soon after `signal` was aborted. http/request-signal.ts aborts the signal when nobody
 * waits for the response any more. The time limit of a query is an option of the pool (pool.ts).
 * @throws GatewayError ClientClosedRequest if `signal` is aborted, unless the query still succeeds shortly afterwards
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
  let grace: NodeJS.Timeout | undefined;
  const requestCancel = () => {
    canceling = sendCancelRequest(client as unknown as Backend, pool.options.stream).catch(() => undefined);
  };
  const cancel = () => {
    grace = setTimeout(requestCancel, GRACE_MS);
  };
  signal.addEventListener('abort', cancel, { once: true });
  const end = () => {
    signal.removeEventListener('abort', cancel);
    clearTimeout(grace);
  };
  try {
    const result = await client.query<Row>(query);
    end();
    await release(client, canceling);
    return result;
  } catch (error) {
    end();
    await release(client, error instanceof EndedEarlyError ? canceling : (canceling ?? Promise.resolve()));
    throw signal.aborted ? clientClosedRequest() : error;
  }
}

/**
 * Returns the connection to the pool if `canceling` is null. Otherwise waits for `canceling` and closes the connection: after an
 * error, its state is unknown, and a late cancel request could cancel its next query.
 */
async function release(client: pg.PoolClient, canceling: Promise<void> | null): Promise<void> {
  await canceling;
  client.release(canceling !== null);
}

/**
 * Sends the cancel request on a connection of its own, as the protocol requires. The server closes that connection. The gateway
 * closes it itself only after `CLOSE_MS`, because pgbouncer may crash if its client closes the connection first
 * (https://github.com/pgbouncer/pgbouncer/issues/801).
 * @param createStream creates the socket to the embedded database; undefined for PostgreSQL
 */
async function sendCancelRequest(
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
