import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { atEnd } from './cleanup.mjs';
import { peakMemoryBytes } from './proc.mjs';

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */
/** @typedef {{pid: number, url: string, startMs: number, readOutput: () => string, stop: () => Promise<void>, kill: () => Promise<void>}} Server */

/** Returns the absolute path of a file of the repository, for a command. @type {(file: string) => string} */
export const repositoryFile = (file) => fileURLToPath(new URL(`../${file}`, import.meta.url));

const READY = /is ready at (\S+)/;
/** Unleash runs several hundred migrations at its first start. */
const START_TIMEOUT_MS = 180_000;
/** Enough time to finish ten requests. */
const STOP_TIMEOUT_MS = 10_000;
const PEAK_SAMPLE_MS = 50;
const STOP_SAMPLE_MS = 5;

/**
 * Runs a command to its end.
 * @param {string[]} command
 * @param {Record<string, string>} [env] variables in addition to PATH and HOME
 * @returns {Promise<{stdout: string, ms: number, firstOutputMs: number, peakBytes: number | null}>} peakBytes: the peak of resident memory; null if unknown
 */
export async function run(command, env = {}) {
  const startedAt = performance.now();
  const child = launch(command, env);
  const output = collect(child);
  let firstOutputMs = 0;
  child.stdout?.once('data', () => {
    firstOutputMs = performance.now() - startedAt;
  });
  /** @type {number | null} */
  let peakBytes = null;
  const sampling = setInterval(() => {
    peakBytes = peakMemoryBytes(child.pid) ?? peakBytes;
  }, PEAK_SAMPLE_MS);
  try {
    await once(child, 'close');
  } finally {
    clearInterval(sampling);
  }
  if (child.exitCode !== 0) throw failure(command, child, output);
  return { stdout: output.stdout, ms: performance.now() - startedAt, firstOutputMs, peakBytes };
}

/**
 * Runs a command until it ends, or until it is due to be stopped with SIGTERM. Its exit code may be any.
 * @param {string[]} command
 * @param {Record<string, string>} env variables in addition to PATH and HOME
 * @param {() => boolean} isDue
 * @returns {Promise<{stderr: string}>}
 */
export async function runUntil(command, env, isDue) {
  const child = launch(command, env);
  const output = collect(child);
  const sampling = setInterval(() => {
    if (!isDue()) return;
    clearInterval(sampling);
    child.kill('SIGTERM');
  }, STOP_SAMPLE_MS);
  try {
    await once(child, 'close');
  } finally {
    clearInterval(sampling);
  }
  return { stderr: output.stderr };
}

/**
 * Starts a server that writes its URL to stderr when it is ready.
 * @param {string[]} command
 * @param {Record<string, string>} [env] variables in addition to PATH and HOME
 * @param {'pipe' | 'ignore'} [stdout] `ignore` sends standard output, such as a log, to /dev/null
 * @returns {Promise<Server>} startMs: time from spawning the server to its ready line
 */
export async function startServer(command, env = {}, stdout = 'pipe') {
  const startedAt = performance.now();
  const child = launch(command, env, stdout);
  const output = collect(child);
  /** @type {Promise<{url: string, startMs: number}>} */
  const ready = new Promise((resolve, reject) => {
    child.stderr?.on('data', () => {
      const url = READY.exec(output.stderr)?.[1];
      if (url) resolve({ url: url.replace(/\/$/, ''), startMs: performance.now() - startedAt });
    });
    child.once('error', reject);
    child.once('close', () => reject(failure(command, child, output)));
    setTimeout(() => reject(new Error(`${command.join(' ')} was not ready in time.`)), START_TIMEOUT_MS).unref();
  });
  const { url, startMs } = await ready;
  return {
    pid: /** @type {number} */ (child.pid),
    url,
    startMs,
    readOutput: () => output.stderr + output.stdout,
    stop: () => stop(child),
    kill: () => kill(child),
  };
}

/** @type {(command: string[], env: Record<string, string>, stdout?: 'pipe' | 'ignore') => ChildProcess} */
function launch([file = '', ...args], env, stdout = 'pipe') {
  // Passes nothing else of the surrounding environment: a DATABASE_URL in it must not change the measurement.
  const inherited = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' };
  // Uses a folder that all users can enter, because some commands run as another user than the owner of the checkout.
  const child = spawn(file, args, { cwd: tmpdir(), env: { ...inherited, ...env }, stdio: ['ignore', stdout, 'pipe'] });
  try {
    atEnd(() => stop(child));
  } catch (error) {
    // Everything is being stopped already, so nothing else would stop this process.
    child.kill('SIGKILL');
    throw error;
  }
  return child;
}

/** @param {ChildProcess} child */
function collect(child) {
  const output = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text) => (output.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text) => (output.stderr += text));
  return output;
}

/** @param {ChildProcess} child */
async function stop(child) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  const killing = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await closed;
  clearTimeout(killing);
}

/** Kills a process at once, without a chance to finish. @param {ChildProcess} child */
async function kill(child) {
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

/** @type {(command: string[], child: ChildProcess, output: {stdout: string, stderr: string}) => Error} */
function failure(command, child, { stdout, stderr }) {
  return new Error(`${command.join(' ')} ended with ${child.exitCode ?? child.signalCode}.\n${`${stderr}\n${stdout}`.trim()}`);
}
