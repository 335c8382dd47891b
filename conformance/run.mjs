import { compare } from './compare.mjs';
import { explain, readReasons } from './differences.mjs';
import { parseOptions } from './options.mjs';
import { createCreations, createReads, createTokenReads, readLog } from './requests.mjs';
import { send } from './send.mjs';

/** @typedef {import('./send.mjs').Request} Request */

const tell = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

/**
 * Sends the same requests to both servers and prints the differences between the responses.
 * @param {import('./options.mjs').Options} options
 * @returns {Promise<number>} number of differences that docs/differences.md does not explain
 */
async function conform({ peer, gateway, create }) {
  await checkTokens({ peer, gateway });
  const reasons = await readReasons();
  const log = await readLog(peer);
  const requests = [...createReads(log), ...(await createTokenReads(peer)), ...(create ? createCreations(new Date()) : [])];
  const explained = new Map();
  const unexplained = [];
  /** @type {string[]} */
  const created = [];
  for (const request of requests) {
    let found = await ask(request, { peer, gateway }, log, created);
    // Repeats the read, because an event that was added between the two requests is not a difference.
    if (found.unexplained.length > 0 && request.method === 'GET') found = await ask(request, { peer, gateway }, log, created);
    for (const reason of found.reasons) explained.set(reason, (explained.get(reason) ?? 0) + 1);
    unexplained.push(...found.unexplained.map((difference) => ({ request, difference })));
  }
  await disable(peer, created);
  const used = [...explained].sort(([a], [b]) => a.localeCompare(b));
  tell(`${requests.length} requests, ${unexplained.length} unexplained differences. Explained by docs/differences.md:`);
  for (const [reason, count] of used) tell(`  ${reason.padEnd(24)} ${String(count).padStart(4)} ×  ${reasons.get(reason)}`);
  for (const { request, difference } of unexplained) tell(describe(request, difference));
  return unexplained.length;
}

/**
 * Rejects tokens of other users than administrators, because responses to these differ for other reasons.
 * @param {{peer: import('./options.mjs').Side, gateway: import('./options.mjs').Side}} sides
 */
async function checkTokens({ peer, gateway }) {
  const { status, body } = await send(peer, { method: 'GET', path: '/api/admin/user' });
  const isAdmin = status === 200 && body?.permissions?.some((/** @type {any} */ { permission }) => permission === 'ADMIN');
  if (!isAdmin) throw new Error(`--peer-token: the token is not an administrator's. ${peer.url} responded with ${status}.`);
  const read = await send(gateway, { method: 'GET', path: '/api/admin/invite-link/tokens/0' });
  if (read.status !== 404)
    throw new Error(`--token: the token is not an administrator's. ${gateway.url} responded with ${read.status}.`);
}

/**
 * @param {Request} request
 * @param {{peer: import('./options.mjs').Side, gateway: import('./options.mjs').Side}} sides
 * @param {import('./requests.mjs').Log} log
 * @param {string[]} created collects the secrets of the created tokens
 */
async function ask(request, sides, log, created) {
  const answers = { peer: await send(sides.peer, request), gateway: await send(sides.gateway, request) };
  for (const { status, body } of [answers.peer, answers.gateway]) if (status === 201) created.push(body.secret);
  /** @type {string[]} */
  const reasons = [];
  /** @type {import('./compare.mjs').Difference[]} */
  const unexplained = [];
  for (const difference of compare(answers.peer, answers.gateway)) {
    const reason = await explain(difference, { request, answers, gateway: sides.gateway, log });
    if (reason === undefined) unexplained.push(difference);
    else reasons.push(reason);
  }
  return { reasons, unexplained };
}

/**
 * Disables the created tokens, so that nobody can sign up with them.
 * @type {(peer: import('./options.mjs').Side, secrets: string[]) => Promise<void>}
 */
async function disable(peer, secrets) {
  let left = 0;
  for (const secret of secrets) {
    const { status } = await send(peer, {
      method: 'PUT',
      path: `/api/admin/invite-link/tokens/${secret}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ enabled: false }),
    });
    if (status !== 200) left += 1;
  }
  if (left > 0) tell(`The peer could not disable ${left} of the ${secrets.length} created signup tokens.`);
}

/** @type {(request: Request, difference: import('./compare.mjs').Difference) => string} */
function describe({ method, path, token, body }, difference) {
  const side = (/** @type {unknown} */ value) => withoutSecrets(JSON.stringify(value) ?? 'absent').slice(0, 300);
  const sent = [
    `\n${method} ${path}`,
    token && `with ${token === 'none' ? 'no token' : 'an unknown token'}`,
    body?.slice(0, 200),
  ].filter(Boolean);
  return `${withoutSecrets(sent.join(' '))}\n  ${difference.path}\n    peer     ${side(difference.peer)}\n    gateway  ${side(difference.gateway)}`;
}

/** Removes secrets, because the report can reach other people. @param {string} text */
function withoutSecrets(text) {
  return text.replaceAll(/\b[0-9a-f]{32}\b/g, '<secret>');
}

try {
  const options = parseOptions();
  if (options) process.exitCode = (await conform(options)) > 0 ? 1 : 0;
} catch (error) {
  process.stderr.write(`${/** @type {Error} */ (error).message}\n`);
  process.exitCode = 2;
}
