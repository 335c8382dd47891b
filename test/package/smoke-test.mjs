import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const TOKEN = 'smoke-test-token-of-more-than-32-characters';

/** How long a gateway may take to start or to stop, on a busy machine. */
const DEADLINE_MS = 120_000;

/**
 * @typedef {object} Installation
 * @property {string} node the path of the Node.js that runs it
 * @property {string} folder
 * @property {readonly string[]} command the arguments of `node` that run the command line
 * @property {string} version the expected version
 * @property {Record<string, string>} [env]
 */

/**
 * Prints the schema, starts the gateway, and sends requests for events and for the IDE. Throws an error that says what is wrong.
 * @param {Installation} installation
 * @param {'demo' | 'serve'} start
 */
export async function smokeTest(installation, start) {
  const { node, folder, command, version, env: added = {} } = installation;
  const env = {
    // A command that the gateway would start has to run on the same Node.js.
    PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}`,
    HOME: process.env.HOME,
    HOST: '127.0.0.1',
    PORT: '0',
    INIT_ADMIN_API_TOKENS: TOKEN,
    LOG_LEVEL: 'warn',
    ...added,
  };
  /** @param {string} name */
  const run = (name) => execFileSync(node, [...command, name], { cwd: folder, env, encoding: 'utf8' }).trim();
  expectMatch('--version', run('--version'), new RegExp(`^${version}$`));
  expectMatch('schema', run('schema'), /^type Query/m);
  expectMatch('openapi', run('openapi'), new RegExp(`"version": "${version}"`));

  const gateway = spawn(node, [...command, start], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(gateway, 'exit');
  const timer = setTimeout(() => gateway.kill('SIGKILL'), DEADLINE_MS);
  try {
    await request(await urlOf(gateway), version, start);
    gateway.kill('SIGTERM');
    const [code] = await exited;
    if (code !== 0) throw new Error(`The gateway exited with ${code}.`);
  } finally {
    clearTimeout(timer);
    gateway.kill('SIGKILL');
    await exited;
  }
}

/**
 * @param {import('node:child_process').ChildProcess} gateway
 * @returns {Promise<string>}
 */
function urlOf(gateway) {
  let output = '';
  return new Promise((resolve, reject) => {
    for (const stream of [gateway.stdout, gateway.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk) => {
        output += chunk;
        const [, url] = /is ready at (\S+)/.exec(output) ?? [];
        if (url) resolve(url);
      });
    }
    gateway.once('error', reject);
    gateway.once('exit', (code) => reject(new Error(`The gateway exited with ${code}: ${output}`)));
  });
}

/** @type {(url: string, version: string, start: 'demo' | 'serve') => Promise<void>} */
async function request(url, version, start) {
  /** @type {(path: string, init?: { method?: string, body?: string }) => Promise<string>} */
  const fetchText = async (path, init) => {
    const response = await fetch(`${url}${path}`, {
      ...init,
      headers: { authorization: TOKEN, 'content-type': 'application/json' },
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${text}`);
    return text;
  };
  const body = JSON.stringify({ query: '{ events(first: 1) { totalCount nodes { type } } }' });
  const total = start === 'demo' ? '[1-9]\\d{3}' : '\\d+';
  expectMatch('GraphQL', await fetchText('/graphql', { method: 'POST', body }), new RegExp(`"totalCount":${total}\\b`));
  expectMatch('REST', await fetchText('/api/admin/search/events?limit=1'), new RegExp(`"total":${total}\\b`));
  expectMatch('/openapi.json', await fetchText('/openapi.json'), new RegExp(`"version":"${version}"`));
  expectMatch('The IDE', await fetchText('/graphiql/'), /<html/);
  expectMatch('The console', await fetchText('/'), /<script type="module" src="\.\/console\/main-/);
}

/** @type {(what: string, text: string, pattern: RegExp) => void} */
function expectMatch(what, text, pattern) {
  if (!pattern.test(text)) throw new Error(`${what} returned ${text.slice(0, 500)} instead of a match of ${pattern}.`);
}
