import { compare } from './compare.mjs';
import { explain, readReasons } from './differences.mjs';
import { parseOptions } from './options.mjs';
import { createCreations, createReads, createTokenReads, readLog } from './requests.mjs';
import { send } from './send.mjs';

/** @typedef {import('./send.mjs').Request} Request */

const tell = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

/**
 * Sends the same requests to both and tells how the answers differ.
 * @param {import('./options.mjs').Options} options
 * @returns {Promise<number>} how many differences no line of docs/differences.md explains
 */
async function conform({ peer, gateway, create }) {
  const reasons = await readReasons();
  const requests = [
    ...createReads(await readLog(peer)),
    ...(await createTokenReads(peer)),
    ...(create ? createCreations(new Date()) : []),
  ];
  const explained = new Map();
  const unexplained = [];
  for (const request of requests) {
    const answers = { peer: await send(peer, request), gateway: await send(gateway, request) };
    for (const difference of compare(answers.peer, answers.gateway)) {
      const reason = await explain(difference, { request, answers, gateway });
      if (reason === undefined) unexplained.push({ request, difference });
      else explained.set(reason, (explained.get(reason) ?? 0) + 1);
    }
  }
  const used = [...explained].sort(([a], [b]) => a.localeCompare(b));
  tell(`${requests.length} requests, ${unexplained.length} unexplained differences. Explained by docs/differences.md:`);
  for (const [reason, count] of used) tell(`  ${reason.padEnd(24)} ${String(count).padStart(4)} ×  ${reasons.get(reason)}`);
  for (const { request, difference } of unexplained) tell(describe(request, difference));
  return unexplained.length;
}

/** @type {(request: Request, difference: import('./compare.mjs').Difference) => string} */
function describe({ method, path, token, body }, difference) {
  const side = (/** @type {unknown} */ value) => (JSON.stringify(value) ?? 'absent').slice(0, 300);
  const sent = [
    `\n${method} ${path}`,
    token && `with ${token === 'none' ? 'no token' : 'an unknown token'}`,
    body?.slice(0, 200),
  ].filter(Boolean);
  return `${sent.join(' ')}\n  ${difference.path}\n    peer     ${side(difference.peer)}\n    gateway  ${side(difference.gateway)}`;
}

try {
  const options = parseOptions();
  if (options) process.exitCode = (await conform(options)) > 0 ? 1 : 0;
} catch (error) {
  process.stderr.write(`${/** @type {Error} */ (error).message}\n`);
  process.exitCode = 2;
}
