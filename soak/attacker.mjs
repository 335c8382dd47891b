import { connect } from 'node:net';
import autocannon from 'autocannon';
import { waysOfOneToken } from './ways.mjs';

/**
 * The attacking client of fairness.mjs, a separate process: `node attacker.mjs <name of a way> <url> <token> <seconds>` prints how many
 * requests it sent, and how many responses of each status have begun. A response need not have ended.
 *
 * @typedef {{sent: number, begun: Record<string, number>}} Attacked
 */
const [name, url = '', token = '', seconds = ''] = process.argv.slice(2);
const way = /** @type {import('./ways.mjs').Way} */ (waysOfOneToken().find((one) => one.name === name));
const headers = { authorization: token, 'content-type': 'application/json' };

const TIMEOUT_SECONDS = 60;
const SLOW_READ_BYTES = 4096;

process.stdout.write(JSON.stringify(way.isReadSlowly ? await readSlowly() : await sendMany()));
process.exit();

/** @returns {Promise<Attacked>} */
async function sendMany() {
  /** @type {Record<string, number>} */
  const begun = {};
  const { requests, errors } = await autocannon({
    url,
    duration: Number(seconds),
    connections: way.connections,
    pipelining: way.pipelining ?? 1,
    timeout: TIMEOUT_SECONDS,
    requests: way.requests.map(({ accept = '*/*', ...request }) => ({ ...request, headers: { ...headers, accept } })),
    setupClient: (client) =>
      client.on('headers', (/** @type {any} */ { statusCode }) => {
        begun[statusCode] = (begun[statusCode] ?? 0) + 1;
      }),
  });
  return { sent: requests.sent, begun: { ...begun, ...(errors > 0 && { none: errors }) } };
}

/** @returns {Promise<Attacked>} */
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
  return { sent: sockets.length, begun: { open, closed: sockets.length - open } };
}
