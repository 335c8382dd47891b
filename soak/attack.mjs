import { register } from 'node:module';
import { parseArgs } from 'node:util';
import { withCleanUp } from '../bench/cleanup.mjs';
import { wholeNumber } from '../bench/options.mjs';

const USAGE = `Usage: npm run attack -- [documents|slow|random|fairness|large-flag|timing] [options]

Attacks a gateway in its production configuration, on its own PostgreSQL server. Without a name, runs all attacks in turn.

documents: sends excessive documents, while other clients request pages. Each must get 4xx, 95 of 100 within 50 ms.
  --times N       number of repetitions of each document (default 50)
  --rate N        pages a second meanwhile (default 50)

slow: starts clients that send headers or bodies slowly, or read slowly (slowhttptest). Other clients must keep nine tenths of their rate.
  --clients N     slow clients (default 1000)
  --seconds N     time under load, with and without slow clients (default 5)
  --rounds N      number of turns with and without slow clients (default 3)
  --connections N concurrent requests of other clients (default 10)

random: sends random input. There must be no 5xx, and no secret in the log or in a response to another client.
  --inputs N      number of inputs (default 100000)
  --seed N        each seed is another set of inputs (default 1)

fairness: one token keeps the gateway busy in several ways, on PostgreSQL and on the embedded database. Other clients must be served.
  --seconds N     time of each way (default 20)
  --ways TEXT     only the ways whose names contain this text, or one of several texts separated by commas (default: all)
  --database NAME only on this database: postgres or embedded (default: both)

large-flag: reads a flag with half of the log's events. Each response must be whole or rejected, and take little memory.

timing: measures what the time of responses tells a token of one project about events of other projects.
  --times N       number of requests of each kind (default 200)

  --events N      size of the log (default 100000; for fairness and large-flag 200000)
`;

/** @typedef {Record<string, number>} Numbers */
/** @typedef {{ways?: string | undefined, database?: string | undefined}} Texts */

/** Each attack with the defaults of its options. @type {Record<string, (numbers: Numbers, texts: Texts) => Promise<boolean>>} returns whether the promises held */
const ATTACKS = {
  documents: async ({ times = 50, rate = 50, events = 100_000 }) =>
    (await import('./documents.mjs')).attackWithDocuments({ times, rate, events }),
  slow: async ({ clients = 1000, seconds = 5, rounds = 3, connections = 10, events = 100_000 }) =>
    (await import('./slow.mjs')).attackSlowly({ clients, seconds, rounds, connections, events }),
  fairness: async ({ seconds = 20, events = 200_000 }, { ways = '', database = 'both' }) =>
    (await import('./fairness.mjs')).attackFairness({ seconds, events, ways: ways.split(','), database }),
  'large-flag': async ({ events = 200_000 }) => (await import('./large-flag.mjs')).attackWithLargeFlag({ events }),
  timing: async ({ times = 200, events = 100_000 }) => (await import('./timing.mjs')).attackByTiming({ times, events }),
  random: async ({ inputs = 100_000, seed = 1, events = 100_000 }) =>
    (await import('./random.mjs')).attackAtRandom({ inputs, seed, events }),
};

/** Name, minimum and maximum of each number. @type {[string, number, number][]} */
const NUMBERS = [
  ['times', 20, 10_000],
  ['rate', 1, 1_000],
  ['clients', 1, 20_000],
  ['seconds', 1, 60],
  ['rounds', 1, 100],
  ['connections', 1, 1_000],
  ['inputs', 1, 100_000_000],
  ['seed', 0, 2_000_000_000],
  ['events', 10_000, 10_000_000],
];

await withCleanUp(async () => {
  const options = Object.fromEntries(NUMBERS.map(([name]) => [name, { type: /** @type {const} */ ('string') }]));
  const { values, positionals } = parseArgs({
    options: { ...options, ways: { type: 'string' }, database: { type: 'string' }, help: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const { ways, database } = values;
  if (database !== undefined && !['postgres', 'embedded'].includes(database))
    throw new Error(`There is no database ${database}.\n\n${USAGE}`);
  const given = /** @type {Record<string, unknown>} */ (values);
  const numbers = Object.fromEntries(
    NUMBERS.filter(([name]) => given[name] !== undefined).map(([name, least, most]) => [
      name,
      wholeNumber(name, String(given[name]), least, most, USAGE),
    ]),
  );
  register('./typescript.mjs', import.meta.url);
  for (const name of positionals.length > 0 ? positionals : Object.keys(ATTACKS)) {
    const attack = ATTACKS[name];
    if (!attack) throw new Error(`There is no attack ${name}.\n\n${USAGE}`);
    if (!(await attack(numbers, { ways, database }))) process.exitCode ||= 1;
  }
});
