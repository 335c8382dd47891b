import { connect } from 'node:net';
import autocannon from 'autocannon';

/**
 * The attacking client of fairness.mjs, a separate process: `node attacker.mjs '{"url": …, "token": …, "seconds": …, "way": …}'` prints how
 * often each status came.
 * @typedef {object} Way
 * @property {string} name
 * @property {number} connections
 * @property {number} [pipelining] requests that each connection sends before it waits for a response
 * @property {boolean} [isReadSlowly] whether the client reads a few kilobytes a second
 * @property {Wanted[]} requests sent in turn
 *
 * @typedef {{method?: 'GET' | 'HEAD' | 'POST', path: string, body?: string}} Wanted
 */

const TIMEOUT_SECONDS = 60;
const SLOW_READ_BYTES = 4096;

/** @type {{url: string, token: string, seconds: number, way: Way}} */
const { url, token, seconds, way } = JSON.parse(process.argv[2] ?? '');
const headers = { authorization: token, 'content-type': 'application/json' };
process.stdout.write(JSON.stringify(way.isReadSlowly ? await readSlowly() : await sendMany()));
process.exit();

/** @returns {Promise<Record<string, number>>} */
async function sendMany() {
  const result = await autocannon({
    url,
    duration: seconds,
    connections: way.connections,
    pipelining: way.pipelining ?? 1,
    timeout: TIMEOUT_SECONDS,
    requests: way.requests.map((request) => ({ ...request, headers })),
  });
  const statuses = Object.entries(result.statusCodeStats ?? {}).map(([status, { count }]) => [status, count]);
  return { ...Object.fromEntries(statuses), ...(result.errors > 0 && { none: result.errors }) };
}

/** @returns {Promise<Record<string, number>>} */
async function readSlowly() {
  const { hostname, port } = new URL(url);
  const [{ path } = { path: '/' }] = way.requests;
  const sockets = Array.from({ length: way.connections }, () => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined).pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: ${token}\r\n\r\n`);
    return socket;
  });
  const reading = setInterval(() => sockets.forEach((socket) => void socket.read(SLOW_READ_BYTES)), 1000);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  clearInterval(reading);
  const open = sockets.filter(({ destroyed }) => !destroyed).length;
  for (const socket of sockets) socket.destroy();
  return { open, closed: sockets.length - open };
}
