import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './unleash-server.js';

const CONFIGURATION = new URL('../../deploy/nginx-unleash.conf', import.meta.url);

/** Starts nginx with deploy/nginx-unleash.conf, changed only in its addresses. */
export async function startNginx(unleashUrl: string, gatewayUrl: string) {
  const port = await freePort();
  const folder = await mkdtemp(path.join(tmpdir(), 'nginx-'));
  // The workers of nginx run as another user if its master runs as root.
  await chmod(folder, 0o755);
  const addresses = {
    '127.0.0.1:4242': new URL(unleashUrl).host,
    '127.0.0.1:4000': new URL(gatewayUrl).host,
    'listen 80;': `listen ${port};`,
  };
  let servers = await readFile(CONFIGURATION, 'utf8');
  for (const [documented, actual] of Object.entries(addresses)) {
    if (!servers.includes(documented)) throw new Error(`The configuration of nginx lacks ${documented}`);
    servers = servers.replace(documented, actual);
  }
  await writeFile(path.join(folder, 'servers.conf'), servers);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`);
  const main = `pid ${folder}/pid; daemon off; events {} http { access_log off; ${temporary.join(' ')} include ${folder}/servers.conf; }`;
  await writeFile(path.join(folder, 'nginx.conf'), main);

  const child = spawn('nginx', ['-c', path.join(folder, 'nginx.conf'), '-e', 'stderr'], {
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  child.once('error', (error) => {
    output += error.message;
  });
  while (!(await accepts(port))) {
    if (child.exitCode !== null || child.pid === undefined) throw new Error(`nginx did not start: ${output}`);
    await pause(50);
  }
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async stop(): Promise<void> {
      await end(child);
      await rm(folder, { recursive: true });
    },
  };
}

function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).then((accepted) => {
    socket.destroy();
    return accepted as boolean;
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
}
