import { CHECKS } from './checks.mjs';
import { compare } from './compare.mjs';
import { explain, readReasons } from './differences.mjs';
import { readLog } from './log.mjs';
import { OPTIONAL_ROLES, parseOptions } from './options.mjs';
import { get, TOKENS } from './request.mjs';
import { send } from './send.mjs';

/** @typedef {import('./options.mjs').Sides} Sides */
/** @typedef {import('./request.mjs').Request} Request */
/** @typedef {Pick<import('./differences.mjs').Context, 'sides' | 'log' | 'isMirror'>} Servers */

const tell = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

/**
 * Sends the same requests to both servers and prints the differences between the responses.
 * @param {import('./options.mjs').Options} options
 * @returns {Promise<number>} number of differences that docs/differences.md does not explain
 */
async function conform({ peer, gateway, create }) {
  const sides = { peer, gateway };
  const reasons = await readReasons();
  await checkTokens(sides);
  const log = await readLog(peer);
  const servers = { sides, log, isMirror: await isMirror(gateway) };
  /** @type {Map<string, number>} */
  const sent = new Map();
  /** @type {Map<string, number>} */
  const explained = new Map();
  const unexplained = [];
  /** @type {string[]} */
  const created = [];
  for (const check of CHECKS) {
    const requests = isPossible(check, sides, create)
      ? await check.requests({ log, peer, now: new Date(), mayCreate: create })
      : [];
    sent.set(check.name, requests.length);
    for (const request of requests) {
      let found = await ask(request, servers, created);
      // Repeats the read, because an event that was added between the two requests is not a difference.
      if (found.unexplained.length > 0 && request.method === 'GET') found = await ask(request, servers, created);
      for (const reason of found.reasons) explained.set(reason, (explained.get(reason) ?? 0) + 1);
      unexplained.push(...found.unexplained.map((difference) => ({ request, difference })));
    }
  }
  await disable(peer, created);
  report(sent, explained, reasons, unexplained);
  return unexplained.length;
}

/** @type {(check: import('./checks.mjs').Check, sides: Sides, create: boolean) => boolean} */
function isPossible({ role = 'admin', creates = false }, { peer }, create) {
  return peer.tokens[role] !== undefined && (create || !creates);
}

/** Rejects tokens of other roles than the options name, because responses to these differ for other reasons. @param {Sides} sides */
async function checkTokens({ peer, gateway }) {
  const { status, body } = await send(peer, get('/api/admin/user'));
  const isAdmin = status === 200 && body?.permissions?.some((/** @type {any} */ { permission }) => permission === 'ADMIN');
  if (!isAdmin) throw new Error(`--peer-token: the token is not an administrator's. ${peer.url} responded with ${status}.`);
  await expectStatus(gateway, 'admin', 404, "--token: the token is not an administrator's.");
  for (const role of OPTIONAL_ROLES.filter((name) => peer.tokens[name] !== undefined)) {
    await expectStatus(peer, role, 403, `--peer-${role}-token: the token is not a ${role}'s.`);
    await expectStatus(gateway, role, 403, `--${role}-token: the token is not a ${role}'s.`);
  }
}

/**
 * Checks how the server responds to a request for a signup token that does not exist.
 * @type {(side: import('./options.mjs').Side, role: import('./request.mjs').Role, status: number, problem: string) => Promise<void>}
 */
async function expectStatus(side, role, expected, problem) {
  const { status } = await send(side, get(`${TOKENS}/0`, { role }));
  if (status !== expected) throw new Error(`${problem} ${side.url} responded with ${status}.`);
}

/** @param {import('./options.mjs').Side} gateway */
async function isMirror(gateway) {
  const { body } = await send(gateway, get('/readyz', { role: 'none' }));
  return body?.mirror !== undefined;
}

/**
 * @param {Request} request
 * @param {Servers} servers
 * @param {string[]} created collects the secrets of the created tokens
 */
async function ask(request, servers, created) {
  const [peer, gateway] = await Promise.all([send(servers.sides.peer, request), send(servers.sides.gateway, request)]);
  for (const { status, body } of [peer, gateway]) if (status === 201) created.push(body.secret);
  /** @type {string[]} */
  const reasons = [];
  /** @type {import('./compare.mjs').Difference[]} */
  const unexplained = [];
  for (const difference of compare(peer, gateway)) {
    const reason = await explain(difference, { ...servers, request, answers: { peer, gateway } });
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
      path: `${TOKENS}/${secret}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ enabled: false }),
    });
    if (status !== 200) left += 1;
  }
  if (left > 0) tell(`The peer could not disable ${left} of the ${secrets.length} created signup tokens.`);
}

/** @type {(sent: Map<string, number>, explained: Map<string, number>, reasons: Map<string, string>, unexplained: {request: Request, difference: import('./compare.mjs').Difference}[]) => void} */
function report(sent, explained, reasons, unexplained) {
  const total = [...sent.values()].reduce((sum, count) => sum + count, 0);
  tell(`${total} requests, ${unexplained.length} unexplained differences. Requests by subject:`);
  for (const [name, count] of sent)
    tell(`  ${String(count).padStart(4)} ×  ${name}${count === 0 ? ', left out by the options' : ''}`);
  tell('Differences that docs/differences.md explains:');
  for (const [reason, count] of [...explained].sort(([a], [b]) => a.localeCompare(b)))
    tell(`  ${String(count).padStart(4)} ×  ${reason.padEnd(24)} ${reasons.get(reason)}`);
  for (const { request, difference } of unexplained) tell(describe(request, difference));
}

/** @type {(request: Request, difference: import('./compare.mjs').Difference) => string} */
function describe({ method, path, role, headers, body }, difference) {
  const side = (/** @type {unknown} */ value) => withoutSecrets(JSON.stringify(value) ?? 'absent').slice(0, 300);
  const sent = [
    `\n${method} ${path.slice(0, 500)}`,
    role && `as ${role}`,
    headers && JSON.stringify(headers),
    body?.toString().slice(0, 200),
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
