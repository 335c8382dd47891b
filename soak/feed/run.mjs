import { parseArgs } from 'node:util';
import { atEnd } from '../../bench/cleanup.mjs';
import { wholeNumber } from '../../bench/options.mjs';
import { renderTable } from '../../bench/table.mjs';
import { tell } from '../prepare.mjs';
import { disturb, findErrors } from './disturbances.mjs';
import { addLateEvents } from './late-events.mjs';
import { FeedReader } from './readers.mjs';
import { createFlags, createInvitations } from './requests.mjs';
import { STAGES } from './stage.mjs';
import { TRANSPORTS } from './transports.mjs';
import { writeEvents } from './writers.mjs';

const USAGE = `Usage: npm run soak -- feed [--database own|beside|embedded] [--events N] [--seconds N] [--readers N] [--seed N] [--pgbouncer] [--replica]

Writers add events while readers follow the feed over all transports. Gateways are killed, and their connections to the database are cut.
At the end, each reader must have every event that its filter and its token allow, and no other.

  --database    own:      two gateways on a PostgreSQL server of their own (default)
                beside:   two gateways beside an Unleash server, which npm installs
                embedded: one gateway on the embedded database
  --events N    events that writers add (default 10000)
  --seconds N   time over which they add them (default 120)
  --readers N   number of readers (default 20)
  --seed N      each seed is another set of transactions (default 1)
  --pgbouncer   puts pgbouncer between the gateways and PostgreSQL, in transaction mode; only with --database own
  --replica     adds a streaming replica to read from; only with --database own
`;

const WRITERS = 8;

/** If no reader receives anything for this long after the last event, the events that readers lack are lost. */
const DRAIN_MS = 60_000;
const CHECK_EVERY_MS = 250;

/** @type {import('./transports.mjs').Filter[]} */
const FILTERS = [
  { name: 'all events', parameters: {}, input: {}, condition: 'true' },
  { name: 'a flag', parameters: { feature: 'IS:f1' }, input: { features: ['f1'] }, condition: `feature_name = 'f1'` },
  {
    name: 'a type',
    parameters: { type: 'IS:feature-created' },
    input: { types: ['FEATURE_CREATED'] },
    condition: `type = 'feature-created'`,
  },
  {
    name: 'two projects',
    parameters: { project: 'IS_ANY_OF:p1,p2' },
    input: { projects: ['p1', 'p2'] },
    condition: `project IN ('p1', 'p2')`,
  },
  {
    name: 'imported ones',
    parameters: { createdByName: 'IS:import' },
    input: { createdByNames: ['import'] },
    condition: `created_by = 'import'`,
  },
];

/** Parses the options. Returns null if it printed the usage instead. @param {string[]} args */
function parseOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      database: { type: 'string', default: 'own' },
      events: { type: 'string', default: '10000' },
      seconds: { type: 'string', default: '120' },
      readers: { type: 'string', default: '20' },
      seed: { type: 'string', default: '1' },
      pgbouncer: { type: 'boolean', default: false },
      replica: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return null;
  }
  if (!(values.database in STAGES)) throw new Error(`There is no database ${values.database}.\n\n${USAGE}`);
  if (values.database !== 'own' && (values.pgbouncer || values.replica))
    throw new Error(`--pgbouncer and --replica need --database own.\n\n${USAGE}`);
  return {
    database: values.database,
    events: wholeNumber('events', values.events, 1, 1_000_000, USAGE),
    seconds: wholeNumber('seconds', values.seconds, 1, 24 * 3600, USAGE),
    readers: wholeNumber('readers', values.readers, 1, 200, USAGE),
    seed: wholeNumber('seed', values.seed, 0, 100_000_000, USAGE),
    pooled: values.pgbouncer,
    replicated: values.replica,
  };
}

/** @param {string[]} args */
export async function soakFeed(args) {
  const options = parseOptions(args);
  if (!options) return;
  const { database, events, seconds, seed } = options;
  const stage = await /** @type {NonNullable<typeof STAGES[string]>} */ (STAGES[database])(options);
  const readers = createReaders(stage, options.readers);
  const reading = readers.map((reader) => reader.run());
  // After a failure, readers must not keep the process alive.
  atEnd(() => readers.forEach((reader) => void reader.stop()));

  tell(`${events} events in ${seconds} s for ${readers.length} readers`);
  let isOver = false;
  const until = () => isOver;
  const writing = Promise.all([
    stage.writerUrl === null
      ? createInvitations(stage, { writers: WRITERS, events, seconds })
      : writeEvents({ ...stage, url: stage.writerUrl, writers: WRITERS, events, seconds, seed }),
    stage.liveUnleash ? createFlags(stage.liveUnleash, seconds) : {},
  ]).finally(() => {
    isOver = true;
  });
  const [written, added, disturbed] = await Promise.all([
    writing,
    stage.reserved === null ? null : addLateEvents(stage, until),
    disturb(stage, until),
  ]);

  tell('waiting for the readers');
  const expected = await Promise.all(readers.map((reader) => listIds(stage, reader.condition)));
  await drain(readers, expected);
  for (const reader of readers) reader.stop();
  await Promise.all(reading);
  const late = new Set(
    stage.reserved === null ? [] : (await stage.query('SELECT event_id AS id FROM gateway_late_event')).map(({ id }) => id),
  );
  const found = readers.map((reader, index) => compare(reader, expected[index] ?? [], late));
  const flaws = [...found.flatMap(({ flaws }) => flaws), ...disturbed.errors, ...stage.gateways.flatMap(findErrors)];

  const total = (await listIds(stage, 'true')).length;
  const ends = Object.entries(Object.assign({}, ...written)).map(([end, count]) => `${count} ${end}`);
  process.stdout.write(
    [
      renderTable(
        HEAD,
        found.map(({ row }) => row),
      ),
      '',
      `events of the log: ${total}, ${late.size} of them added below others`,
      `written: ${ends.join(', ')}`,
      ...(added ? [`import and mirror: ${added.runs} runs, ${added.failures.length} of them cut off`] : []),
      `gateways killed: ${disturbed.killed}, connections cut: ${disturbed.cut}`,
      `lost: ${sum(found, 'lost')}, received without a reason: ${sum(found, 'foreign')}, repeated without a reason: ${sum(found, 'repeated')}`,
      `flaws: ${flaws.length}`,
      ...flaws.slice(0, 20).map((flaw) => `  ${flaw}`),
      '',
    ].join('\n'),
  );
  if (flaws.length > 0) process.exitCode = 1;
}

const HEAD = [
  'reader',
  'events',
  'lost',
  'others',
  'added below',
  'received again',
  'connections',
  'broken',
  '503 or 429',
  'silent',
];

/** Gives each transport several filters and audiences. @type {(stage: import('./stage.mjs').FeedStage, count: number) => FeedReader[]} */
function createReaders({ urls, audiences }, count) {
  const transports = Object.keys(TRANSPORTS);
  return Array.from({ length: count }, (_, n) => {
    const turn = Math.floor(n / transports.length);
    const filter = /** @type {import('./transports.mjs').Filter} */ (FILTERS[(n + turn) % FILTERS.length]);
    const audience = /** @type {import('./readers.mjs').Audience} */ (audiences[(n + turn) % audiences.length]);
    return new FeedReader({ transport: transports[n % transports.length] ?? '', filter, audience, urls, first: n });
  });
}

/** @type {(stage: Pick<import('./stage.mjs').FeedStage, 'query'>, condition: string) => Promise<number[]>} */
const listIds = async ({ query }, condition) => (await query(`SELECT id FROM events WHERE ${condition}`)).map(({ id }) => id);

/**
 * Waits until each reader has all events, or until nobody has received another one for a while.
 * @type {(readers: FeedReader[], expected: number[][]) => Promise<void>}
 */
async function drain(readers, expected) {
  const lacksSome = () => readers.some((reader, index) => (expected[index] ?? []).some((id) => !reader.received.has(id)));
  const count = () => readers.reduce((sum, { received }) => sum + received.size, 0);
  let [last, since] = [count(), performance.now()];
  while (lacksSome() && performance.now() - since < DRAIN_MS) {
    await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS));
    if (count() !== last) [last, since] = [count(), performance.now()];
  }
}

/**
 * Compares what a reader received with the log. Only a late event may be repeated: a page can have had it before its position
 * among the late events was complete (docs/decisions/040-feed.md).
 * @type {(reader: FeedReader, expected: number[], late: Set<number>) => {row: string[], flaws: string[], lost: number, foreign: number, repeated: number}}
 */
function compare(reader, expected, late) {
  const { name, received, counts } = reader;
  const wanted = new Set(expected);
  const lost = expected.filter((id) => !received.has(id));
  const foreign = [...received.keys()].filter((id) => !wanted.has(id));
  const again = [...received].filter(([, count]) => count > 1).map(([id]) => id);
  const repeated = again.filter((id) => !late.has(id));
  const describe = (/** @type {string} */ what, /** @type {number[]} */ ids) =>
    ids.length > 0 ? [`${name}: ${what} ${ids.slice(0, 5).join(', ')} (${ids.length})`] : [];
  const numbers = [
    expected.length,
    lost.length,
    foreign.length,
    expected.filter((id) => late.has(id)).length,
    again.length,
    counts.connections,
    counts.broken,
    counts.refused,
    counts.silent,
  ];
  return {
    row: [name, ...numbers.map(String)],
    flaws: [
      ...describe('did not receive', lost),
      ...describe('received events that it must not have:', foreign),
      ...describe('received again', repeated),
      ...new Set(reader.flaws.map((flaw) => `${name}: ${flaw}`)),
      ...(counts.silent > 0 ? [`${name}: silent for 30 s, ${counts.silent} times`] : []),
    ],
    lost: lost.length,
    foreign: foreign.length,
    repeated: repeated.length,
  };
}

/** @type {(found: ReturnType<typeof compare>[], what: 'lost' | 'foreign' | 'repeated') => number} */
const sum = (found, what) => found.reduce((total, one) => total + one[what], 0);
