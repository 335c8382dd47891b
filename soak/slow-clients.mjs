import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { atEnd } from '../bench/cleanup.mjs';

/** They end themselves after this, should nobody else do it. */
const MAX_SECONDS = 300;

export const isSlowhttptestInstalled = () => spawnSync('slowhttptest', ['-h']).error === undefined;

/**
 * @typedef {object} Slowness
 * @property {string} name
 * @property {string} path
 * @property {string[]} options
 * @property {number} connectSeconds how long it takes until all are there
 * @property {boolean} [isCutOff] whether the gateway need not keep them
 */

/**
 * @param {Slowness} slowness
 * @param {{url: string, clients: number, token: string, pinned: string[]}} to
 * @returns {{stop: () => Promise<void>}}
 */
export function startSlowClients({ path, options, connectSeconds }, { url, clients, token, pinned }) {
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
  const stop = async () => {
    child.kill('SIGKILL');
    await closed;
  };
  atEnd(stop);
  return { stop };
}
