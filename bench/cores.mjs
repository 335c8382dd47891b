import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Assignment of processes to cores. The measured server has its own. With two cores, PostgreSQL and the load generator share one.
 * @typedef {object} Cores
 * @property {string[]} server prefix of a command
 * @property {string[]} load
 * @property {string[]} database
 * @property {string} description for the report
 */

/** @returns {Cores} */
export function assignCores() {
  const cores = allowedCores();
  if (cores.length < 2 || spawnSync('taskset', ['--version']).status !== 0) {
    return { server: [], load: [], database: [], description: 'Nothing is pinned to a core.' };
  }
  const [server, load, ...rest] = cores;
  const database = rest.length > 0 ? rest : [load];
  const description =
    rest.length > 0
      ? 'Server, load generator and PostgreSQL are pinned to cores of their own.'
      : 'The server is pinned to one core, the load generator and PostgreSQL to the other.';
  return { server: pinTo([server]), load: pinTo([load]), database: pinTo(database), description };
}

/** @type {(cores: (number | undefined)[]) => string[]} */
const pinTo = (cores) => ['taskset', '--cpu-list', cores.join(',')];

/** Pins this process with all its threads to the cores of a command. @param {string[]} pinned prefix of the command */
export function pinThisProcess(pinned) {
  const cores = pinned.at(-1);
  if (cores) execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(process.pid)], { stdio: 'ignore' });
}

/** Returns the cores that this process can use. In a container, these may be fewer than the machine has. @returns {number[]} */
function allowedCores() {
  if (process.platform !== 'linux') return [];
  const list = /^Cpus_allowed_list:\s+(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}
