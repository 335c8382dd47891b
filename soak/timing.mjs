import { FREQUENT_TEXT } from '../bench/event-log.mjs';
import { withClient } from '../bench/postgres.mjs';
import { median, percentile } from '../bench/statistics.mjs';
import { renderTable } from '../bench/table.mjs';
import { prepare, tell, waitForIndexes } from './prepare.mjs';

/** A project with few events, and one that the token cannot see. */
const OWN = 'own-project';
const OTHER = 'project-7';

const ADD_OWN_EVENTS = `
  INSERT INTO events (type, created_by, project, feature_name, data)
  SELECT 'feature-updated', 'x', '${OWN}', 'own-flag', json_build_object('n', n) FROM generate_series(1, 100) AS n`;

const SEARCH = '/api/admin/search/events?limit=50';

/**
 * Measures what the time of responses tells a token of one project about the others. It compares requests for something that exists in other
 * projects with requests for something that exists nowhere. Each pair takes turns, and each request differs from all before it.
 * @param {{times: number, events: number}} options
 * @returns {Promise<boolean>} whether all responses of a pair are equal, and have the same price
 */
export async function attackByTiming({ times, events }) {
  const { databaseUrl, command, serve } = await prepare({
    events,
    env: { GRAPHIQL: 'false', GRAPHQL_COST_PER_MINUTE: '900000000' },
  });
  await withClient(databaseUrl, (client) => client.query(ADD_OWN_EVENTS));
  const flags = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query(`SELECT DISTINCT feature_name AS name FROM events WHERE project = '${OTHER}' LIMIT $1`, [
      times,
    ]);
    return rows.map(({ name }) => name);
  });
  const token = await command(['token', 'create', '--name', 'limited', '--role', 'VIEWER', '--project', OWN]);
  const gateway = await serve();
  await waitForIndexes(databaseUrl);

  /** @type {[string, (n: number) => string, (n: number) => string][]} */
  const pairs = [
    ['a flag', (n) => `/api/admin/events/${flags[n % flags.length]}`, (n) => `/api/admin/events/none-${n}`],
    ['a project', (n) => `${SEARCH}&project=IS:${OTHER}&offset=${n}`, (n) => `${SEARCH}&project=IS:none&offset=${n}`],
    ['an event', (n) => `${SEARCH}&id=IS:${1 + n}`, (n) => `${SEARCH}&id=IS:${2_000_000_000 + n}`],
    ['a frequent text', (n) => `${SEARCH}&query=${FREQUENT_TEXT}&offset=${n}`, (n) => `${SEARCH}&query=zqxjkvbwpl&offset=${n}`],
    ['a rare text', (n) => `${SEARCH}&query=group-${1000 + n}%22`, (n) => `${SEARCH}&query=zqxjk-${1000 + n}%22`],
  ];
  const rows = [];
  let isEqual = true;
  for (const [name, existing, missing] of pairs) {
    tell(name);
    const [there, nowhere] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
    for (let n = 0; n < times; n += 1) {
      const one = await ask(gateway.url, existing(n), token);
      const other = await ask(gateway.url, missing(n), token);
      there.push(one.ms);
      nowhere.push(other.ms);
      isEqual &&= one.shown === other.shown && (one.price === null || other.price === null || one.price === other.price);
    }
    const [high, low] = [median(there), median(nowhere)];
    rows.push([
      name,
      ...[high, low, percentile(there, 0.95), percentile(nowhere, 0.95)].map((ms) => ms.toFixed(2)),
      (high / low).toFixed(2),
    ]);
  }
  await gateway.stop();
  const head = ['exists in another project', 'median ms', 'nowhere: median ms', 'p95 ms', 'nowhere: p95 ms', 'ratio of medians'];
  process.stdout.write(`${renderTable(head, rows)}\n\nThe responses of each pair are ${isEqual ? '' : 'not '}equal.\n\n`);
  return isEqual;
}

/** The budget that the previous request left. */
let remaining = 0;

/**
 * Sends a request. `shown` is all that the response tells except for its time and its price. The price is the difference from the budget that
 * the previous request left. It is null for the first request of a minute, which begins with a full budget.
 * @param {string} url @param {string} path @param {string} token
 */
async function ask(url, path, token) {
  const startedAt = performance.now();
  const response = await fetch(`${url}${path}`, { headers: { authorization: token } });
  const body = /** @type {Record<string, unknown>} */ (await response.json());
  const ms = performance.now() - startedAt;
  const left = Number(response.headers.get('ratelimit-remaining'));
  const price = left < remaining ? remaining - left : null;
  remaining = left;
  // The response of a flag repeats its name.
  const { toggleName: _, ...told } = body;
  return { shown: JSON.stringify([response.status, told, response.headers.get('etag')]), price, ms };
}
