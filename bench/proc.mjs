import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Reads figures of processes from Linux' /proc. On other systems, every result is null. */

const isLinux = process.platform === 'linux';
const TICKS_PER_SECOND = isLinux ? Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) : 0;

/** State of an established connection in /proc/net/tcp. */
const ESTABLISHED = '01';

/** Resident memory of a process. @type {(pid: number | undefined) => number | null} */
export const memoryBytes = (pid) => statusBytes(pid, 'VmRSS');

/** Peak of the resident memory of a process. @type {(pid: number | undefined) => number | null} */
export const peakMemoryBytes = (pid) => statusBytes(pid, 'VmHWM');

/** CPU time of a process with all its threads, in user and kernel mode. @type {(pid: number) => number | null} */
export function cpuMs(pid) {
  const stat = readStat(pid);
  return stat && toMs(stat.ownTicks);
}

/**
 * CPU time of a process and of its children, including ended ones: a PostgreSQL server and its sessions.
 * @type {(pid: number) => number | null}
 */
export function familyCpuMs(pid) {
  const stat = readStat(pid);
  if (!stat) return null;
  const children = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readStat(Number(name)) ?? []) : []));
  const live = children.filter(({ parent }) => parent === pid).reduce((sum, { ownTicks }) => sum + ownTicks, 0);
  return toMs(stat.ownTicks + stat.endedChildrenTicks + live);
}

/** Number of established connections to a port of 127.0.0.1. @type {(port: number) => number | null} */
export function connectionsTo(port) {
  if (!isLinux) return null;
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const sockets = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  return sockets.filter(([, address, , state]) => address === local && state === ESTABLISHED).length;
}

/** @type {(ticks: number) => number} */
const toMs = (ticks) => (ticks * 1000) / TICKS_PER_SECOND;

/** @type {(pid: number | undefined, field: string) => number | null} */
function statusBytes(pid, field) {
  const text = readProc(pid, 'status');
  const kibibytes = text && new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1];
  return kibibytes ? Number(kibibytes) * 1024 : null;
}

/** Parses the fields after the name (proc(5)). The name is in parentheses and can contain any character. @param {number} pid */
function readStat(pid) {
  const text = readProc(pid, 'stat');
  if (!text) return null;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (/** @type {number} */ number) => Number(fields[number - 3]);
  return { parent: field(4), ownTicks: field(14) + field(15), endedChildrenTicks: field(16) + field(17) };
}

/** @type {(pid: number | undefined, file: string) => string | null} */
function readProc(pid, file) {
  if (!isLinux || pid === undefined) return null;
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return null; // the process has ended
  }
}
