import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const LOG = fileURLToPath(new URL('../recorded/event-log.ndjson', import.meta.url));

export async function startRecordedGateway() {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'gateway-browser-'));
  const removeData = () => rm(dataDir, { recursive: true, force: true });
  try {
    await promisify(execFile)(process.execPath, [MAIN, 'import', LOG], { env: toEnvironment({ DATA_DIR: dataDir }) });
    const token = randomBytes(24).toString('hex');
    const server = await serve({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn', INIT_ADMIN_API_TOKENS: token });
    return {
      url: server.url,
      token,
      eventCount: (await readFile(LOG, 'utf8')).trimEnd().split('\n').length,
      async stop() {
        await server.stop();
        await removeData();
      },
    };
  } catch (error) {
    await removeData();
    throw error;
  }
}

/** Starts the demo with a new sample log. */
export async function startDemo() {
  const folder = await mkdtemp(path.join(tmpdir(), 'gateway-browser-'));
  const token = randomBytes(24).toString('hex');
  const server = await serve({ DATA_DIR: path.join(folder, 'data'), PORT: '0', INIT_ADMIN_API_TOKENS: token }, 'demo');
  return {
    url: server.url,
    token,
    runCommand: (...args) => runCommand(args, path.join(folder, 'data-demo')),
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a gateway with an empty log. */
export async function startEmptyGateway(env) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'gateway-browser-'));
  const token = randomBytes(24).toString('hex');
  const server = await serve({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn', INIT_ADMIN_API_TOKENS: token, ...env });
  return {
    url: server.url,
    token,
    runCommand: (...args) => runCommand(args, dataDir),
    async stop() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Runs a command on the folder of a running gateway. */
async function runCommand(args, dataDir) {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...args], { env: toEnvironment({ DATA_DIR: dataDir }) });
  return stdout.trim();
}

async function serve(env, command = 'serve') {
  const child = spawn(process.execPath, [MAIN, command], { env: toEnvironment(env), stdio: ['ignore', 'ignore', 'pipe'] });
  const exit = once(child, 'exit');
  const stop = async () => {
    child.kill();
    await exit;
  };
  const url = await Promise.race([
    readUrl(child.stderr),
    exit.then(([code]) => Promise.reject(new Error(`${command} exited with ${code}`))),
  ]);
  return { url, stop };
}

/** Keeps reading after the URL is found, so that the gateway's output pipe never fills up. */
function readUrl(stderr) {
  return new Promise((resolve) => {
    let text = '';
    stderr.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      const url = /^flag-admin-gateway is ready at (\S+)\n/m.exec(text)?.[1];
      if (url) resolve(url);
    });
  });
}

/** Keeps the configuration of this process out of the gateway's environment. */
function toEnvironment(env) {
  return { PATH: process.env.PATH, ...env };
}
