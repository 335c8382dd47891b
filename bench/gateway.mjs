import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryFile, startServer } from './child.mjs';

/** The benchmark starts the gateway with the default limits, metrics and log, except for the budget. */

export const TOKEN = 'benchmark-token';

export const GATEWAY_ENV = {
  NODE_ENV: 'production',
  PORT: '0',
  INIT_ADMIN_API_TOKENS: TOKEN,
  // The gateway counts costs as by default, but with a budget that no benchmark client uses up.
  GRAPHQL_COST_PER_MINUTE: '900000000',
};

/** The command of `npm start`, which the benchmark measures. */
const START = /exec node (.*)dist\/main\.js serve$/;

/**
 * Returns the options of Node.js in the command of `npm start`.
 * @param {string} [folder] of the checkout
 * @returns {string[]}
 */
export function nodeOptions(folder = repositoryFile('')) {
  const { scripts } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const options = START.exec(scripts.start)?.[1];
  if (options === undefined) throw new Error(`The script "start" of package.json is not of the form ${START}.`);
  return options.split(' ').filter((option) => option !== '');
}

/**
 * Starts a gateway. Its log goes to /dev/null.
 * @type {(databaseUrl: string, pinned: string[], env?: Record<string, string>) => Promise<import('./child.mjs').Server>}
 */
export function startGateway(databaseUrl, pinned, env = {}) {
  const command = [...pinned, process.execPath, ...nodeOptions(), repositoryFile('dist/main.js'), 'serve'];
  return startServer(command, { ...GATEWAY_ENV, DATABASE_URL: databaseUrl, ...env }, 'ignore');
}
