import { percentile } from '../bench/statistics.mjs';
import { renderTable } from '../bench/table.mjs';
import { HOSTILE_REQUESTS } from '../test/support/hostile-documents.ts';
import { sendRaw } from '../test/support/send-raw.ts';
import { applyLoad } from './load.mjs';
import { askForPage } from './operations.mjs';
import { ADMIN, prepare, tell, waitForIndexes } from './prepare.mjs';

const REFUSED_WITHIN_MS = 50;
/** Repetitions after which the JavaScript compiler has done its work. */
const WARM_UP_TIMES = 20;
const WARM_UP_MS = 15_000;
/** The last pages of the warm-up are the baseline. */
const COMPARED_PAGES = 250;
const HEAD = ['attack', 'status', 'median ms', 'p95 ms', 'max ms', 'pages meanwhile', 'right', 'p95 ms of pages'];

/**
 * Allowed operations, which the report shows for comparison: the costliest, and two that no limit rejects because they take no longer
 * (docs/decisions/024-deleted-concepts.md).
 */
const ALLOWED = {
  'four pages of 1,000 events': `{ ${['a', 'b', 'c', 'd']
    .map(
      (name) =>
        `${name}: searchEvents(limit: 1000) { total events { id createdAt typeName createdBy featureName project data preData } }`,
    )
    .join(' ')} }`,
  'a depth of sixty': `{ events { nodes { ${'... on Event { '.repeat(57)} id ${'}'.repeat(57)} } } }`,
  'directives on sixty fields': `{ events(first: 1000) { nodes { ${'id @skip(if: false) @include(if: true) '.repeat(60)} } } }`,
};

/**
 * @param {{times: number, rate: number, events: number}} options
 * @returns {Promise<boolean>} whether each attack is rejected in time, and every page gets a correct response
 */
export async function attackWithDocuments({ times, rate, events }) {
  const { databaseUrl, log, viewer, serve } = await prepare({
    events,
    env: { GRAPHIQL: 'false', INTROSPECTION: 'false', GRAPHQL_COST_PER_MINUTE: '0' },
  });
  const gateway = await serve();
  await waitForIndexes(databaseUrl);

  /** @type {import('./load.mjs').Outcome[]} */
  let pages = [];
  const end = new AbortController();
  const load = applyLoad({
    rate,
    signal: end.signal,
    next: () => ({ url: gateway.url, request: { what: 'page', ...askForPage(log, viewer) } }),
    onOutcome: (outcome) => pages.push(outcome),
  });
  await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
  const undisturbed = summarizePages(pages.slice(-COMPARED_PAGES));

  const measure = async (/** @type {string} */ name, /** @type {string} */ body) => {
    tell(name);
    const first = await sendTimes(gateway.url, body, WARM_UP_TIMES);
    pages = [];
    const responses = await sendTimes(gateway.url, body, times);
    const statuses = [...new Set([...first, ...responses].map(({ status }) => status))];
    return { name, ...summarize(responses), statuses, pages: summarizePages(pages) };
  };
  const attacks = [];
  for (const [name, body] of Object.entries(HOSTILE_REQUESTS)) attacks.push(await measure(name, body));
  const allowed = [];
  for (const [name, query] of Object.entries(ALLOWED))
    allowed.push(await measure(`(allowed) ${name}`, JSON.stringify({ query })));
  end.abort();
  await load;
  await gateway.stop();

  process.stdout.write(`Before: ${undisturbed.count} pages, p95 ${undisturbed.p95Ms.toFixed(1)} ms\n\n`);
  process.stdout.write(`${renderTable(HEAD, [...attacks, ...allowed].map(toRow))}\n\n`);
  const broken = attacks.filter(({ statuses, p95Ms, pages }) => {
    const isRefused = statuses.every((status) => status >= 400 && status < 500);
    return !isRefused || p95Ms > REFUSED_WITHIN_MS || pages.right < pages.count || pages.count === 0;
  });
  for (const { name } of broken) process.stdout.write(`Not as promised: ${name}\n`);
  return broken.length === 0;
}

/**
 * Sends the body repeatedly, one request after the other.
 * @type {(url: string, body: string, times: number) => Promise<{status: number, ms: number}[]>}
 */
async function sendTimes(url, body, times) {
  const responses = [];
  const headers = { 'content-type': 'application/json' };
  for (let sent = 0; sent < times; sent += 1) {
    const startedAt = performance.now();
    // A request without a response has the status 0.
    const { status } = await sendRaw(url, '/graphql', { method: 'POST', token: ADMIN, headers, body }).catch(() => ({
      status: 0,
    }));
    responses.push({ status, ms: performance.now() - startedAt });
  }
  return responses;
}

/** @param {{status: number, ms: number}[]} responses */
function summarize(responses) {
  const times = responses.map(({ ms }) => ms);
  return {
    medianMs: percentile(times, 0.5),
    p95Ms: percentile(times, 0.95),
    maxMs: Math.max(...times),
  };
}

/** @param {import('./load.mjs').Outcome[]} outcomes */
function summarizePages(outcomes) {
  const right = outcomes.filter(({ request, status, body }) => request.isRight(status, body)).length;
  return {
    count: outcomes.length,
    right,
    p95Ms: percentile(
      outcomes.map(({ ms }) => ms),
      0.95,
    ),
  };
}

/** @param {{name: string, statuses: number[], pages: ReturnType<typeof summarizePages>} & ReturnType<typeof summarize>} measured */
function toRow({ name, statuses, medianMs, p95Ms, maxMs, pages }) {
  const times = [medianMs, p95Ms, maxMs].map((ms) => ms.toFixed(1));
  const status = statuses.map((status) => status || 'no response').join(', ');
  return [name, status, ...times, String(pages.count), String(pages.right), pages.p95Ms.toFixed(1)];
}
