import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { atEnd } from '../bench/cleanup.mjs';

/** They end themselves after this, should nobody else do it. */
const MAX_SECONDS = 300;
/** A busy one runs for so long of each half second. */
const RUNS_MS = 25;
const RESTS_MS = 475;

export const isSlowhttptestInstalled = () => spawnSync('slowhttptest', ['-h']).error === undefined;

/**
 * @typedef {object} Slowness
 * @property {string} name
 * @property {string} path
 * @property {string[]} options
 * @property {number} connectSeconds how long it takes until all are there
 * @property {boolean} [isCutOff] whether the gateway need not keep them
 * @property {boolean} [isBusy] whether slowhttptest takes a whole core to wait, as it does for answers that are there to be read: once all are
 *   connected, it is stopped for most of the time, which makes its clients slower still
 */

/**
 * @param {Slowness} slowness
 * @param {{url: string, clients: number, token: string, pinned: string[]}} to
 * @returns {{stop: () => Promise<void>}}
 */
export function startSlowClients({ path, options, connectSeconds, isBusy = false }, { url, clients, token, pinned }) {
  const perSecond = Math.ceil(clients / connectSeconds);
  const numbers = ['-c', clients, '-r', perSecond, '-l', MAX_SECONDS, '-v', 0].map(String);
  // There is no option for another header; a line break in its cookie begins one.
  const asCaller = ['-j', `a=b\r\nauthorization: ${token}`];
  // It waits by asking again and again, which must not slow those who are measured.
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
