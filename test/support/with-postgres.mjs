import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Runs a command with TEST_DATABASE_URL naming a PostgreSQL server that is started for it and stopped after it:
 * `node test/support/with-postgres.mjs npm test`. Takes Debian's newest server; as root it runs as the user postgres.
 */
const VERSIONS = '/usr/lib/postgresql';
const version = readdirSync(VERSIONS)
  .filter((name) => /^\d+$/.test(name))
  .sort((a, b) => Number(b) - Number(a))[0];
if (!version) throw new Error(`No PostgreSQL server under ${VERSIONS}. On Debian and Ubuntu: apt-get install postgresql`);

const bin = (name) => path.join(VERSIONS, version, 'bin', name);
const asOwner = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : [];
const run = (...command) => {
  const [program, ...args] = [...asOwner, ...command];
  return execFileSync(program, args, { cwd: tmpdir(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
};

// The owner makes the folder, so that it may enter it; a zone other than UTC shows whether the gateway depends on it.
const folder = run('mktemp', '-d', path.join(tmpdir(), 'gateway-postgres-XXXXXXXX')).trim();
const data = path.join(folder, 'data');
let status = 1;
try {
  run(bin('initdb'), '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync');
  const port = await freePort();
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c timezone=Asia/Kolkata -c fsync=off`;
  run(bin('pg_ctl'), '-D', data, '-w', '-l', path.join(folder, 'log'), '-o', options, 'start');
  try {
    status = await runWith({ TEST_DATABASE_URL: `postgresql://postgres@127.0.0.1:${port}/postgres` });
  } finally {
    run(bin('pg_ctl'), '-D', data, '-m', 'immediate', 'stop');
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(status);

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** A signal to this process group reaches the command too; this process waits for it and then stops the server. */
function runWith(env) {
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
  const [program, ...args] = process.argv.slice(2);
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...env } });
    child.on('error', reject).on('exit', (code) => resolve(code ?? 1));
  });
}
