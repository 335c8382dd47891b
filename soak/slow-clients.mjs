import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { atEnd } from '../bench/cleanup.mjs';

/** slowhttptest exits after this time if nothing else stops it. */
const MAX_SECONDS = 300;
/** A busy client runs for this part of each half second. */
const RUNS_MS = 25;
const RESTS_MS = 475;

export const isSlowhttptestInstalled = () => spawnSync('slowhttptest', ['-h']).error === undefined;

/**
 * @typedef {object} Slowness
 * @property {string} name
 * @property {string} path
 * @property {string[]} options
 * @property {number} connectSeconds time until all clients are connected
 * @property {boolean} [isCutOff] whether the gateway can close their connections
 * @property {boolean} [isBusy] whether slowhttptest uses a whole core while responses wait to be read: once all clients are connected, it is
 *   stopped for most of the time, which makes the clients even slower
 */

/**
 * @param {Slowness} slowness
 * @param {{url: string, clients: number, token: string, pinned: string[]}} to
 * @returns {{stop: () => Promise<void>}}
 */
export function startSlowClients({ path, options, connectSeconds, isBusy = false }, { url, clients, token, pinned }) {
  const perSecond = Math.ceil(clients / connectSeconds);
  const numbers = ['-c', clients, '-r', perSecond, '-l', MAX_SECONDS, '-v', 0].map(String);
  // slowhttptest has no option for another header. A line break in its cookie starts one.
  const asCaller = ['-j', `a=b\r\nauthorization: ${token}`];
  // slowhttptest waits by polling. `nice` keeps that from slowing the measured clients.
  const [file = '', ...args] = [
    'nice',
    '-n',
    '19',
    ...pinned,
    'slowhttptest',
    ...options,
    ...numbers,
    '-u',
    `${url}${path}`,
    ...asCaller,
  ];
  const child = spawn(file, args, { stdio: 'ignore' });
  const closed = once(child, 'close');
  let resting = isBusy ? setTimeout(rest, connectSeconds * 1000) : undefined;
  function rest() {
    child.kill('SIGSTOP');
    resting = setTimeout(run, RESTS_MS);
  }
  function run() {
    child.kill('SIGCONT');
    resting = setTimeout(rest, RUNS_MS);
  }
  const stop = async () => {
    clearTimeout(resting);
    child.kill('SIGKILL');
    await closed;
  };
  atEnd(stop);
  return { stop };
}
