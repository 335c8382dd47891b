import { connect } from 'node:net';
import autocannon from 'autocannon';
import { waysOfOneToken } from './ways.mjs';

/**
 * The attacking client of fairness.mjs, a separate process: `node attacker.mjs <name of a way> <url> <token> <seconds>` prints how often each
 * status came.
 */
const [name, url = '', token = '', seconds = ''] = process.argv.slice(2);
const way = /** @type {import('./ways.mjs').Way} */ (waysOfOneToken().find((one) => one.name === name));
const headers = { authorization: token, 'content-type': 'application/json' };

const TIMEOUT_SECONDS = 60;
const SLOW_READ_BYTES = 4096;

process.stdout.write(JSON.stringify(way.isReadSlowly ? await readSlowly() : await sendMany()));
process.exit();

/** @returns {Promise<Record<string, number>>} */
async function sendMany() {
  const result = await autocannon({
    url,
    duration: Number(seconds),
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
  await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1000));
  clearInterval(reading);
  const open = sockets.filter(({ destroyed }) => !destroyed).length;
  for (const socket of sockets) socket.destroy();
  return { open, closed: sockets.length - open };
}
