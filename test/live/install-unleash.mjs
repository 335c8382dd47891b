import { fileURLToPath } from 'node:url';
import { installNode, installPackages } from '../support/install-packages.mjs';

const STARTER = fileURLToPath(new URL('start-unleash.mjs', import.meta.url));

/** From this major version on, Unleash needs Node.js 22. */
const NEEDS_NODE_22 = 8;

export const ADMIN_TOKEN = '*:*.live-test-secret';

/**
 * Installs an Unleash server from npm, unless it is installed already.
 * @param {string} version
 * @returns {string[]} the command that starts it and prints READY, configured by `environmentOf`
 */
export function installUnleash(version) {
  const folder = installPackages(`unleash-${version}`, [`unleash-server@${version}`]);
  const needsNode22 = majorOf(version) >= NEEDS_NODE_22 && majorOf(process.versions.node) < 22;
  const node = needsNode22 ? installNode('22') : process.execPath;
  if (node === null) throw new Error(`Unleash ${version} needs Node.js 22 or newer. Run the tests on it.`);
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
