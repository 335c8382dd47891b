import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { repositoryFile, run } from '../bench/child.mjs';
import { atEnd } from '../bench/cleanup.mjs';
import { exportEventLog } from '../bench/event-log.mjs';
import { measureNewMemory } from '../bench/new-memory.mjs';
import { withClient } from '../bench/postgres.mjs';
import { renderTable } from '../bench/table.mjs';
import { send } from './load.mjs';
import { readLog } from './operations.mjs';
import { ADMIN, addLargeFlag, prepare, tell, waitForIndexes } from './prepare.mjs';
import { RATE, watchOthers } from './watch-others.mjs';
import { waysOfOneToken } from './ways.mjs';

/** The share of the other clients' requests that must have been sent. The measuring process is busy, too. */
const LEAST_SENT = 0.9;
const WARM_UP_MS = 10_000;

/** Other clients may wait this many times longer than without the attack, or this long if that is more. */
const SLOWER = 5;
const P95_MS = 250;
const LIVE_WITHIN_MS = 500;

/**
 * The embedded database runs one query at a time, and cannot interrupt it for another caller. Others may therefore also wait for
 * the turn of the attacker that runs while they are authenticated, and for the attacker's next turn.
 */
const TURNS = 2;
/** The number of turns that are measured alone. */
const MEASURED_TURNS = 3;

const HEAD = [
  'way',
  'its responses',
  'others',
  'wrong',
  'p95 ms before',
  'one turn ms',
  'p95 ms',
  'max ms',
  '/livez max ms',
  'memory MB',
];

/** @typedef {import('./watch-others.mjs').Watched} Watched */

/**
 * One token does its worst in each of several ways, within the default limits and budget, while other clients request pages. The
 * gateway has the heap of deploy/kubernetes/gateway.yaml.
 * @param {{events: number, seconds: number, ways: string[], database: string}} options `ways` are parts of names; `database` is `postgres`,
 * `embedded` or `both`
 * @returns {Promise<boolean>} whether the other clients are served, and the gateway stays alive within the memory of the manifest
 */
export async function attackFairness({ events, seconds, ways: parts, database }) {
  const ways = waysOfOneToken().filter(({ name }) => parts.some((part) => name.includes(part)));
  if (ways.length === 0) throw new Error(`No way has one of these texts in its name: ${parts.join(', ')}.`);
  const { env, limitBytes } = await readManifest();
  const { databaseUrl, serve, createToken, command } = await prepare({
    events: events / 2,
    env: { ...env, GRAPHIQL: 'false', LOG_LEVEL: 'error' },
  });
  await addLargeFlag(databaseUrl);
  const log = await withClient(databaseUrl, readLog);
  const stage = { log, seconds, limitBytes, ways };
  let isFair = true;

  if (database !== 'embedded') {
    const gateway = await serve();
    await waitForIndexes(databaseUrl);
    isFair = await attackInEachWay('PostgreSQL', gateway, (name, role) => createToken(name, {}, role), {
      ...stage,
      isParallel: true,
    });
    await gateway.stop();
  }
  if (database !== 'postgres') {
    const embedded = await copyIntoEmbedded(databaseUrl, command);
    const gateway = await serve(embedded);
    /** @type {(name: string, role?: 'ADMIN') => Promise<string>} */
    const createTokenThere = (name, role) => createToken(name, embedded, role);
    const isFairThere = await attackInEachWay('the embedded database', gateway, createTokenThere, {
      ...stage,
      isParallel: false,
    });
    isFair &&= isFairThere;
    await gateway.stop();
  }
  return isFair;
}

/**
 * @param {string} databaseUrl
 * @param {import('./prepare.mjs').Prepared['command']} command
 * @returns {Promise<Record<string, string>>} the environment of a gateway on the copy
 */
async function copyIntoEmbedded(databaseUrl, command) {
  tell('copying the log into an embedded database');
  const folder = await mkdtemp(path.join(tmpdir(), 'flag-admin-gateway-fairness-'));
  atEnd(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'events.ndjson');
  await exportEventLog(databaseUrl, file);
  const embedded = { DATABASE_URL: '', DATA_DIR: path.join(folder, 'data') };
  await command(['import', file], embedded);
  return embedded;
}

/** @returns {Promise<{env: Record<string, string>, limitBytes: number}>} the options of Node.js and the limit of memory in the manifest */
export async function readManifest() {
  const [dockerfile, manifest] = await Promise.all(
    ['Dockerfile', 'deploy/kubernetes/gateway.yaml'].map((file) => readFile(repositoryFile(file), 'utf8')),
  );
  const deployment = parseAllDocuments(manifest ?? '')
    .map((document) => document.toJS())
    .find(({ kind }) => kind === 'Deployment');
  const [container] = deployment.spec.template.spec.containers;
  const { value } = container.env.find((/** @type {{name: string}} */ { name }) => name === 'NODE_OPTIONS');
  const [semiSpace = ''] = /--max-semi-space-size=\d+/.exec(dockerfile ?? '') ?? [];
  const [, megabytes] = /^(\d+)Mi$/.exec(container.resources.limits.memory) ?? [];
  return { env: { NODE_OPTIONS: `${value} ${semiSpace}` }, limitBytes: Number(megabytes) * 2 ** 20 };
}

/**
 * @typedef {object} Stage
 * @property {import('./operations.mjs').Log} log
 * @property {number} seconds
 * @property {number} limitBytes
 * @property {import('./ways.mjs').Way[]} ways
 * @property {boolean} isParallel whether the database runs several queries at once
 */

/**
 * @param {string} where
 * @param {import('../bench/child.mjs').Server} gateway
 * @param {(name: string, role?: 'ADMIN') => Promise<string>} createToken
 * @param {Stage} stage
 */
async function attackInEachWay(where, gateway, createToken, { log, seconds, limitBytes, ways, isParallel }) {
  const others = { gateway, log, token: ADMIN };
  await watchOthers({ ...others, ms: WARM_UP_MS });
  const rows = [];
  const broken = [];
  for (const way of ways) {
    tell(`${where}: ${way.name}`);
    const token = await createToken(way.name, way.role);
    const before = await watchOthers({ ...others, ms: (seconds * 1000) / 2 });
    const turnMs = isParallel ? 0 : await measureTurn(gateway.url, way, token);
    const attacker = run([process.execPath, repositoryFile('soak/attacker.mjs'), way.name, gateway.url, token, String(seconds)]);
    const meanwhile = await watchOthers({ ...others, ms: seconds * 1000 });
    /** @type {import('./attacker.mjs').Attacked} */
    const attacked = JSON.parse((await attacker).stdout);
    rows.push(toRow(way.name, attacked, before, turnMs, meanwhile));
    const flaws = findFlaws(before, turnMs, meanwhile, { limitBytes, seconds });
    if (!hasAttacked(way, attacked)) flaws.push(`not one ${way.expects ?? '200'}, so it attacked nothing`);
    if (flaws.length > 0) broken.push(`${where}: ${way.name}: ${flaws.join('; ')}`);
  }
  const machine = `On this machine, 4 kB of new memory take ${measureNewMemory().toFixed(1)} µs.`;
  process.stdout.write(`On ${where}\n\n${renderTable(HEAD, rows)}\n\n${machine}\n\n`);
  for (const text of broken) process.stdout.write(`Not as promised: ${text}\n`);
  return broken.length === 0;
}

/**
 * Measures the longest of some turns of a way without other load.
 * @param {string} url
 * @param {import('./ways.mjs').Way} way
 * @param {string} token
 */
async function measureTurn(url, { requests, ofOneTurn = spread(requests) }, token) {
  let longestMs = 0;
  for (const { method, path, body } of ofOneTurn) {
    const request = { what: 'turn', method, path, token, body: body && JSON.parse(body), isRight: () => true };
    longestMs = Math.max(longestMs, (await send(url, request)).ms);
  }
  return longestMs;
}

/** @type {<Item>(items: Item[]) => Item[]} */
const spread = (items) => items.filter((_, n) => n % Math.ceil(items.length / MEASURED_TURNS) === 0);

/**
 * Whether the attack had an effect. If no response began, all requests were in progress the whole time, as large operations are.
 * @type {(way: import('./ways.mjs').Way, attacked: import('./attacker.mjs').Attacked) => boolean}
 */
const hasAttacked = ({ expects = '200' }, { sent, begun }) =>
  (begun[expects] ?? 0) > 0 || (sent > 0 && Object.keys(begun).length === 0);

/**
 * @param {Watched} before
 * @param {number} turnMs the time of one turn of the attacker if others may wait for it
 * @param {Watched} meanwhile
 * @param {{limitBytes: number, seconds: number}} expected
 * @returns {string[]}
 */
function findFlaws(before, turnMs, { count, wrong, p95Ms, liveMaxMs, bytes }, { limitBytes, seconds }) {
  return [
    count < LEAST_SENT * RATE * seconds && 'too few requests of others were measured',
    wrong.length > 0 && `${wrong.length} wrong responses to others (${[...new Set(wrong)].slice(0, 3).join(', ')})`,
    p95Ms > Math.max(SLOWER * before.p95Ms, P95_MS) + TURNS * turnMs && 'others wait too long',
    liveMaxMs > LIVE_WITHIN_MS && '/livez takes too long',
    bytes > limitBytes && 'more memory than the limit of the manifest',
  ].filter((flaw) => flaw !== false);
}

/** @type {(name: string, attacked: import('./attacker.mjs').Attacked, before: Watched, turnMs: number, meanwhile: Watched) => string[]} */
function toRow(name, { sent, begun }, before, turnMs, { count, wrong, p95Ms, maxMs, liveMaxMs, bytes }) {
  const responses = Object.entries(begun).map(([status, number]) => `${number} × ${status}`);
  const times = [before.p95Ms, turnMs, p95Ms, maxMs, liveMaxMs].map((ms) => ms.toFixed(0));
  return [
    name,
    responses.join(', ') || `none to ${sent} requests`,
    String(count),
    String(wrong.length),
    ...times,
    (bytes / 2 ** 20).toFixed(0),
  ];
}
