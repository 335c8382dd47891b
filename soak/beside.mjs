import { spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '../bench/child.mjs';
import { atEnd } from '../bench/cleanup.mjs';
import { freePort } from '../bench/postgres.mjs';

/** Time that haproxy and pgbouncer need to start listening. */
const START_MS = 2_000;

/**
 * Starts haproxy in front of gateways. It checks the readiness of each twice a second.
 * @param {number[]} ports of the gateways
 * @returns {Promise<string>} its URL
 */
export async function startBalancer(ports) {
  const port = await freePort();
  const servers = ports.map((to, index) => `  server gateway${index + 1} 127.0.0.1:${to}`);
  await start(
    'haproxy',
    ['-db', '-f'],
    [
      'defaults',
      '  mode http',
      '  timeout connect 2s',
      '  timeout client 30s',
      '  timeout server 30s',
      // A busy gateway must not count as down: it does the work of both while the other one is replaced.
      '  timeout check 10s',
      '  option httpchk GET /readyz',
      '  option redispatch',
      '  retries 3',
      'frontend gateways',
      `  bind 127.0.0.1:${port}`,
      '  default_backend gateways',
      'backend gateways',
      '  balance roundrobin',
      '  default-server check inter 500ms fall 2 rise 1',
      ...servers,
    ],
  );
  return `http://127.0.0.1:${port}`;
}

/**
 * Starts pgbouncer, in transaction mode.
 * @param {string} url of the database behind it
 * @returns {Promise<{url: string, pid: number}>}
 */
export async function startPooler(url) {
  const port = await freePort();
  const server = new URL(url);
  const pid = await start(
    'pgbouncer',
    [],
    [
      '[databases]',
      `* = host=${server.hostname} port=${server.port} user=${server.username}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      'default_pool_size = 10',
      'server_login_retry = 1',
    ],
  );
  server.port = String(port);
  return { url: server.href, pid };
}

/** @type {(program: string, args: string[], lines: string[]) => Promise<number>} */
async function start(program, args, lines) {
  const folder = mkdtempSync(path.join(tmpdir(), `flag-admin-gateway-${program}-`));
  const file = path.join(folder, 'config');
  writeFileSync(file, `${lines.join('\n')}\n`);
  // pgbouncer refuses to run as root.
  const owner = process.getuid?.() === 0 && program === 'pgbouncer' ? await findOwner() : null;
  if (owner) for (const each of [folder, file]) chownSync(each, owner.uid, owner.gid);
  const child = spawn(program, [...args, file], { stdio: 'ignore', ...owner });
  const failed = new Promise((_, reject) => {
    child.once('error', () => reject(new Error(`${program} is not installed: apt-get install ${program}`)));
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}.`)));
  });
  atEnd(() => {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  await Promise.race([new Promise((resolve) => setTimeout(resolve, START_MS)), failed]);
  failed.catch(() => undefined);
  return child.pid ?? 0;
}

/** @returns {Promise<{uid: number, gid: number}>} */
async function findOwner() {
  const idOf = async (/** @type {string} */ option) => Number((await run(['id', option, 'postgres'])).stdout);
  return { uid: await idOf('-u'), gid: await idOf('-g') };
}
