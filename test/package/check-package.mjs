import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Packs the package, and installs it into an empty folder as a user would. Runs a command there, and the demo, which has to
 * respond to a query about its sample log.
 */
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const TOKEN = 'package-check-token';
const folder = mkdtempSync(path.join(tmpdir(), 'gateway-package-'));
const run = (program, args, cwd = folder) =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

try {
  const [{ filename }] = JSON.parse(run('npm', ['pack', '--json', '--silent', '--pack-destination', folder], REPOSITORY));
  writeFileSync(path.join(folder, 'package.json'), '{"private": true}');
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', path.join(folder, filename)]);

  const schema = run('npx', ['flag-admin-gateway', 'schema']);
  if (!schema.includes('type Query')) throw new Error('`npx flag-admin-gateway schema` prints no schema.');

  const env = { ...process.env, PORT: '0', INIT_ADMIN_API_TOKENS: TOKEN, LOG_LEVEL: 'warn' };
  delete env.DATABASE_URL;
  const gateway = spawn('npx', ['flag-admin-gateway', 'demo'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'inherit', 'pipe'],
    detached: true,
  });
  const url = await new Promise((resolve, reject) => {
    let text = '';
    gateway.stderr.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      const [, found] = /is ready at (\S+)/.exec(text) ?? [];
      if (found) resolve(found);
    });
    gateway.once('exit', () => reject(new Error(`The gateway exited: ${text}`)));
  });
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: TOKEN, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ events { totalCount } }' }),
  });
  const result = await response.text();
  if (!/^\{"data":\{"events":\{"totalCount":[1-9]\d{3}\}\}\}\s*$/.test(result)) throw new Error(`The gateway returned ${result}`);
  const ide = await fetch(`${url}/graphiql/`);
  if (!ide.ok) throw new Error(`The IDE returned ${ide.status}.`);
  const exited = once(gateway, 'exit');
  process.kill(-gateway.pid, 'SIGTERM');
  await exited;
  process.stdout.write(`${filename} installs and serves.\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
