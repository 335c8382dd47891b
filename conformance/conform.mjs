import { CHECKS } from './checks.mjs';
import { compare } from './compare.mjs';
import { explain } from './differences.mjs';
import { readLog } from './log.mjs';
import { OPTIONAL_ROLES } from './options.mjs';
import { get, TOKENS } from './request.mjs';
import { send } from './send.mjs';

/** @typedef {import('./options.mjs').Sides} Sides */
/** @typedef {import('./request.mjs').Request} Request */
/** @typedef {import('./send.mjs').Answer} Answer */
/** @typedef {Pick<import('./differences.mjs').Context, 'sides' | 'log' | 'isMirror'>} Servers */

/** @typedef {{request: Request, difference: import('./compare.mjs').Difference}} Unexplained */
/**
 * @typedef {object} Findings
 * @property {Map<string, number>} sent number of requests of each check
 * @property {Map<string, number>} explained number of differences of each line of docs/differences.md
 * @property {Unexplained[]} unexplained
 * @property {number} left number of created signup tokens that the peer could not disable
 */

/**
 * Sends the same requests to both servers and compares the responses. Disables the created signup tokens also if a request fails.
 * @param {import('./options.mjs').Options} options
 * @param {readonly import('./checks.mjs').Check[]} [checks]
 * @param {AbortSignal} [signal] stops after the present request
 * @returns {Promise<Findings>}
 * @throws {Error} an error that also says how many of the created tokens the peer could not disable
 */
export async function conform({ peer, gateway, create }, checks = CHECKS, signal = undefined) {
  const sides = { peer, gateway };
  await checkTokens(sides);
  const log = await readLog(peer);
  const servers = { sides, log, isMirror: await isMirror(gateway) };
  /** @type {Findings} */
  const findings = { sent: new Map(), explained: new Map(), unexplained: [], left: 0 };
  /** @type {string[]} */
  const created = [];
  try {
    for (const check of checks) {
      const known = { log, peer, now: new Date(), mayCreate: create };
      const requests = isPossible(check, sides, create) ? await check.requests(known) : [];
      findings.sent.set(check.name, requests.length);
      for (const request of requests) {
        await examine(request, servers, created, findings);
        signal?.throwIfAborted();
      }
    }
  } catch (error) {
    const left = await disable(peer, created);
    const outcome = `Of the ${created.length} created signup tokens, the peer could not disable ${left}.`;
    throw new Error(created.length === 0 ? messageOf(error) : `${messageOf(error)}\n${outcome}`, { cause: error });
  }
  return { ...findings, left: await disable(peer, created) };
}

/** @param {unknown} error */
const messageOf = (error) => /** @type {Error} */ (error).message;

/**
 * @param {Request} request
 * @param {Servers} servers
 * @param {string[]} created collects the secrets of the created tokens
 * @param {Findings} findings collects the differences
 */
async function examine(request, servers, created, { explained, unexplained }) {
  let found = await ask(request, servers, created);
  // Repeats the read, because an event that was added between the two requests is not a difference.
  if (found.unexplained.length > 0 && request.method === 'GET') found = await ask(request, servers, created);
  for (const reason of found.reasons) explained.set(reason, (explained.get(reason) ?? 0) + 1);
  unexplained.push(...found.unexplained.map((difference) => ({ request, difference })));
}

/** @type {(check: import('./checks.mjs').Check, sides: Sides, create: boolean) => boolean} */
function isPossible({ role, creates = false }, { peer }, create) {
  return peer.tokens[role ?? 'admin'] !== undefined && (create || !creates);
}

/** Rejects tokens that do not have the role of their option, because their responses would differ. @param {Sides} sides */
async function checkTokens({ peer, gateway }) {
  const { status, body } = await send(peer, get('/api/admin/user'));
  const isAdmin = status === 200 && body?.permissions?.some((/** @type {any} */ { permission }) => permission === 'ADMIN');
  if (!isAdmin) throw new Error(`--peer-token: the token is not an administrator's. ${peer.url} responded with ${status}.`);
  await expectStatus(gateway, 'admin', 404, "--token: the token is not an administrator's.");
  for (const role of /** @type {(keyof typeof OPTIONAL_ROLES)[]} */ (Object.keys(OPTIONAL_ROLES))) {
    if (peer.tokens[role] === undefined) continue;
    const option = OPTIONAL_ROLES[role];
    await expectStatus(peer, role, 403, `--peer-${option}: it does not belong to the role ${role}.`);
    await expectStatus(gateway, role, 403, `--${option}: it does not belong to the role ${role}.`);
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
  const { sides } = servers;
  const askSide = async (/** @type {import('./options.mjs').Side} */ side) => {
    const answer = await send(side, request);
    if (answer.status === 201 && answer.body?.secret) created.push(answer.body.secret);
    return answer;
  };
  const asked = [askSide(sides.peer), askSide(sides.gateway)];
  // If one server fails, the other may still be creating a token.
  await Promise.allSettled(asked);
  const [peer, gateway] = /** @type {[Answer, Answer]} */ (await Promise.all(asked));
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
 * @type {(peer: import('./options.mjs').Side, secrets: string[]) => Promise<number>}
 * @returns the number of tokens that the peer could not disable
 */
async function disable(peer, secrets) {
  let left = 0;
  for (const secret of secrets) {
    const response = await send(peer, {
      method: 'PUT',
      path: `${TOKENS}/${secret}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ enabled: false }),
    }).catch(() => undefined);
    if (response?.status !== 200) left += 1;
  }
  return left;
}
