import { once } from 'node:events';
import { connect } from 'node:net';
import type pg from 'pg';
import { GatewayError } from '../errors.js';

/** What a connection knows of the process that serves it. */
interface Backend {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
}

/** The code of a request to cancel, in place of a version of the protocol. */
const CANCEL_REQUEST = 80_877_102;

/** How long the server may take for such a request. */
const CANCEL_MS = 1_000;

/**
 * Runs a query until `signal` is aborted; then the server gives it up.
 * @throws GatewayError ClientClosedRequest once aborted
 */
export async function queryCancellable<Row extends object>(
  pool: pg.Pool,
  query: pg.QueryConfig,
  signal: AbortSignal,
): Promise<pg.QueryResult<Row>> {
  if (signal.aborted) throw clientIsGone();
  const client = await pool.connect();
  // While it waited for a connection.
  if (signal.aborted) {
    client.release();
    throw clientIsGone();
  }
  let canceling: Promise<void> | null = null;
  const cancel = () => {
    canceling = requestCancel(client as unknown as Backend).catch(() => undefined);
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const result = await client.query<Row>(query);
    await giveBack(client, canceling);
    return result;
  } catch (error) {
    await giveBack(client, canceling ?? Promise.resolve());
    throw signal.aborted ? clientIsGone() : error;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** What comes next on a connection must not be what is canceled. */
async function giveBack(client: pg.PoolClient, canceling: Promise<void> | null): Promise<void> {
  await canceling;
  client.release(canceling !== null);
}

/** On a connection of its own, as PostgreSQL wants it; one to a pooler is passed on by it. */
async function requestCancel({ host, port, processID, secretKey }: Backend): Promise<void> {
  const request = Buffer.alloc(16);
  [request.length, CANCEL_REQUEST, processID, secretKey].forEach((value, index) => {
    request.writeInt32BE(value, index * 4);
  });
  const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  socket.setTimeout(CANCEL_MS, () => socket.destroy());
  socket.on('error', () => undefined).end(request);
  await once(socket, 'close');
}

function clientIsGone(): GatewayError {
  return new GatewayError('ClientClosedRequest', 'The client did not wait for the answer.');
}
