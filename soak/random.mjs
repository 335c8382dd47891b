import fc from 'fast-check';
import { withClient } from '../bench/postgres.mjs';
import { renderTable } from '../bench/table.mjs';
import { forEachInFlight } from '../test/support/in-flight.ts';
import { ADD_ODD_ROWS } from '../test/support/odd-rows.ts';
import { randomBytes } from '../test/support/random-bytes.ts';
import { graphqlRequest } from '../test/support/random-graphql-request.ts';
import { isHttp, restRequest, toRawRequest } from '../test/support/random-request.ts';
import { flawsOf } from '../test/support/response-flaws.ts';
import { sendBytes, sendRaw, statusesIn } from '../test/support/send-raw.ts';
import { createFlaws } from './flaws.mjs';
import { send } from './load.mjs';
import { askForPage } from './operations.mjs';
import { ADMIN, PASSWORD, prepare, tell, waitForIndexes } from './prepare.mjs';
import { createSecrets } from './secrets.mjs';

/** @typedef {import('../test/support/random-request.ts').RandomRequest} RandomRequest */

/** Lifts limits: the inputs exceed those on cost and wrong tokens, and a search for text without letters reads the whole log. */
const ENV = {
  GRAPHIQL: 'false',
  INTROSPECTION: 'false',
  GRAPHQL_COST_PER_MINUTE: '0',
  FAILED_LOGINS_PER_MINUTE: '0',
  STATEMENT_TIMEOUT_MS: '0',
};
const TOLD_EVERY = 10_000;
/** Number of inputs that are generated together. */
const BATCH = 500;
/** Distance between the batches of one seed and those of the next. */
const BATCHES_OF_SEED = 1_000_003;
const MAX_SHOWN_CHARACTERS = 3_000;

/** @type {fc.Arbitrary<RandomRequest | Buffer>} */
const anyInput = fc.oneof(
  { weight: 9, arbitrary: restRequest },
  { weight: 9, arbitrary: graphqlRequest },
  { weight: 2, arbitrary: randomBytes },
);

/** @type {(seed: number, batch: number) => (RandomRequest | Buffer)[]} */
const inputsOf = (seed, batch) => fc.sample(anyInput, { seed: (seed * BATCHES_OF_SEED + batch) | 0, numRuns: BATCH });

/** Describes an input for the report. @type {(seed: number, number: number) => string} */
function describe(seed, number) {
  const input = inputsOf(seed, Math.floor(number / BATCH))[number % BATCH];
  const text = Buffer.isBuffer(input) ? `bytes ${JSON.stringify(input.toString('latin1'))}` : JSON.stringify(input);
  return `input ${number} of seed ${seed}: ${text.slice(0, MAX_SHOWN_CHARACTERS)}`;
}

/** @type {(seed: number, count: number) => Generator<[number, RandomRequest | Buffer]>} */
function* createInputs(seed, count) {
  for (let first = 0; first < count; first += BATCH) {
    if (first % TOLD_EVERY === 0) tell(`${first} of ${count}`);
    for (const [index, input] of inputsOf(seed, first / BATCH)
      .slice(0, count - first)
      .entries())
      yield [first + index, input];
  }
}

/**
 * @param {{inputs: number, seed: number, events: number}} options
 * @returns {Promise<boolean>} whether there was no failure and no leak
 */
export async function attackAtRandom({ inputs, seed, events }) {
  const { databaseUrl, log, viewer, serve } = await prepare({ events, env: ENV });
  await withClient(databaseUrl, (client) => client.query(ADD_ODD_ROWS));
  const gateway = await serve();
  await waitForIndexes(databaseUrl);
  const secrets = createSecrets([ADMIN, viewer, PASSWORD, databaseUrl]);
  /** @type {Map<string, number>} */
  const counts = new Map();
  const flaws = createFlaws();

  await forEachInFlight(createInputs(seed, inputs), async ([number, input]) => {
    const { outcomes, found } = Buffer.isBuffer(input)
      ? await tryBytes(gateway.url, input, secrets)
      : await tryRequest(gateway.url, input, { number, tokens: { admin: ADMIN, viewer }, secrets });
    for (const outcome of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    for (const flaw of found) flaws.add(flaw, () => describe(seed, number));
  });

  const page = { what: 'page', ...askForPage(log, viewer) };
  const { status, body } = await send(gateway.url, page);
  if (!page.isRight(status, body))
    flaws.add(
      `a page after all inputs gets ${status}`,
      () => `${JSON.stringify(body)}\n${gateway.readOutput().slice(0, MAX_SHOWN_CHARACTERS)}`,
    );
  await gateway.stop();
  const invitations = await withClient(databaseUrl, (client) => client.query('SELECT secret FROM public_signup_tokens'));
  for (const { secret } of invitations.rows) secrets.add(secret);
  const output = gateway.readOutput();
  for (const { flaw, line } of secrets.findInLog(output)) {
    const number = /"requestId":"input-(\d+)"/.exec(line)?.[1];
    flaws.add(flaw, () => `${line}\n${number === undefined ? '' : describe(seed, Number(number))}`);
  }

  const rows = [...counts].sort(([one], [other]) => one.localeCompare(other)).map(([outcome, count]) => [outcome, String(count)]);
  const lines = output.split('\n').length;
  process.stdout.write(`${renderTable(['outcome', 'inputs'], rows)}\n`);
  process.stdout.write(
    `\nseed ${seed}: ${invitations.rows.length} invitations, ${lines} lines of the log, ${flaws.count} flaws\n`,
  );
  process.stdout.write(flaws.describe());
  return flaws.count === 0;
}

/**
 * The outcomes of a request, and the flaws that were found.
 * @typedef {{outcomes: string[], found: string[]}} Tried
 */

/**
 * @param {string} url
 * @param {RandomRequest} request
 * @param {{number: number, tokens: {admin: string, viewer: string}, secrets: ReturnType<typeof createSecrets>}} of
 * @returns {Promise<Tried>}
 */
async function tryRequest(url, request, { number, tokens, secrets }) {
  const { method, path, body } = request;
  const raw = toRawRequest(request, tokens);
  const headers = { 'x-request-id': `input-${number}`, ...raw.headers };
  const isGraphql = path.startsWith('/graphql');
  try {
    const response = await sendRaw(url, path, { ...raw, headers });
    const isCreation = response.status === 201 || (isGraphql && `${path}${body}`.includes('createPublicSignupToken'));
    const found = flawsOf(response, { isGraphql, isHead: method === 'HEAD', secrets: Object.values(tokens) });
    const isExecuted = isGraphql && response.body?.data;
    return {
      outcomes: [String(response.status), ...(isExecuted ? ['GraphQL, executed'] : [])],
      found: [...found, ...secrets.findInAnswer(response.text, isCreation)],
    };
  } catch (error) {
    // Node's client rejects input that is not HTTP, or the connection was closed while it sent the input.
    return { outcomes: ['no response'], found: isHttp(request) ? [`no response: ${error}`] : [] };
  }
}

/** @type {(url: string, bytes: Buffer, secrets: ReturnType<typeof createSecrets>) => Promise<Tried>} */
async function tryBytes(url, bytes, secrets) {
  const text = await sendBytes(url, bytes);
  const statuses = statusesIn(text);
  return {
    outcomes: statuses.length > 0 ? statuses.map((status) => `${status} to bytes`) : ['closed without a response to bytes'],
    found: [
      ...statuses.filter((status) => status >= 500).map((status) => `status ${status}`),
      ...secrets.findInAnswer(text, false),
    ],
  };
}
