import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from '../support/install-packages.mjs';

/**
 * Lints openapi.json with the linters that the arguments name. A warning fails like an error.
 *
 * Redocly is a development dependency: it is one package without dependencies. Spectral has 200 of them, one with an install
 * script that reports the installation to a third party. It is therefore installed into the cache, without its scripts.
 */
const SPECTRAL = '@stoplight/spectral-cli@6.16.3';
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** @type {Record<string, () => string[]>} */
const LINTERS = {
  redocly: () => [path.join(ROOT, 'node_modules/.bin/redocly'), 'lint', '--config', 'test/contracts/redocly.yaml'],
  spectral: () => {
    const folder = installPackages('spectral', [SPECTRAL]);
    const options = ['--ruleset', 'test/contracts/spectral.yaml', '--fail-severity', 'hint'];
    return [path.join(folder, 'node_modules/.bin/spectral'), 'lint', ...options];
  },
};

for (const linter of process.argv.slice(2)) {
  const [command = '', ...args] = LINTERS[linter]?.() ?? [];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { status, stdout, stderr } = spawnSync(command, [...args, 'openapi.json'], { cwd: ROOT, env, encoding: 'utf8' });
  if (status !== 0) {
    process.stderr.write(`${linter}:\n${stdout}${stderr}`);
    process.exitCode = 1;
  }
}
