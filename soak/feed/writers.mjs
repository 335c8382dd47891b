import fc from 'fast-check';
import { INSERT, writeTransactions } from '../../test/support/feed-writers.ts';

/** @typedef {import('../../test/support/feed-writers.ts').WriterTransaction} WriterTransaction */

/** The pauses within a transaction. The longest ones keep the feed waiting. */
const PAUSES_MS = fc.oneof(
  { weight: 30, arbitrary: fc.integer({ min: 0, max: 50 }) },
  { weight: 8, arbitrary: fc.integer({ min: 50, max: 1_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 2_000, max: 5_000 }) },
);

/** Most transactions add few events, and some add more than a page of a reader. */
const COUNTS = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 1, max: 5 }) },
  { weight: 1, arbitrary: fc.integer({ min: 20, max: 100 }) },
);

/** Inserts events below others, with ids that rolled-back transactions left free. Ids up to `reserved` are those of imports. */
const insertBelow = (/** @type {number} */ reserved) => `
  INSERT INTO events (id, type, created_by, feature_name, project)
  SELECT gap, 'feature-created', 'import', 'f1', 'p1' FROM (
    SELECT n AS gap FROM generate_series(${reserved} + 1, (SELECT max(id) FROM events)) AS n
    WHERE NOT EXISTS (SELECT FROM events WHERE id = n) ORDER BY random() LIMIT $1::int
  ) AS gaps ON CONFLICT DO NOTHING`;

const ENDS = /** @type {const} */ ([
  ...Array.from({ length: 6 }, () => /** @type {const} */ ('commit')),
  'roll back',
  'roll back to a savepoint',
  'prepare and commit',
  'prepare and roll back',
]);

/** @type {(reserved: number | null) => fc.Arbitrary<WriterTransaction>} reserved is null if no event may be added below others */
function transaction(reserved) {
  const below = reserved === null ? [] : [{ weight: 1, arbitrary: fc.constant(insertBelow(reserved)) }];
  const sql = fc.oneof({ weight: 8, arbitrary: fc.constant(INSERT) }, ...below);
  return fc.record({
    statements: fc.array(fc.record({ sql, count: COUNTS, pauseMs: PAUSES_MS }), { minLength: 1, maxLength: 3 }),
    ends: fc.constantFrom(...ENDS),
  });
}

/** Events that a transaction adds, if those below others find free ids. @param {WriterTransaction} transaction */
const countEvents = ({ statements, ends }) =>
  ends === 'commit' || ends === 'prepare and commit' ? statements.reduce((sum, { count }) => sum + count, 0) : 0;

/**
 * Chooses transactions that add at least `events` events.
 * @type {(options: {seed: number, events: number, reserved: number | null}) => Generator<WriterTransaction>}
 */
function* choose({ seed, events, reserved }) {
  const [all] = fc.sample(fc.infiniteStream(fc.noShrink(transaction(reserved))), { seed, numRuns: 1 });
  for (let added = 0; added < events; ) {
    const next = /** @type {WriterTransaction} */ (all?.next().value);
    added += countEvents(next);
    yield next;
  }
}

/**
 * Writes events over connections of their own.
 * @param {{url: string, writers: number, events: number, seconds: number, seed: number, reserved: number | null}} options
 * @returns {Promise<Record<string, number>>} the number of transactions by their ends
 */
export async function writeEvents({ url, writers, events, seconds, seed, reserved }) {
  /** @type {Record<string, number>} */
  const ends = {};
  const startedAt = performance.now();
  const write = async (/** @type {number} */ index) => {
    const share = Math.ceil(events / writers);
    let added = 0;
    for (const each of choose({ seed: seed * writers + index, events: share, reserved })) {
      await writeTransactions(url, [each]);
      ends[each.ends] = (ends[each.ends] ?? 0) + 1;
      added += countEvents(each);
      // Spreads the events over the time of the soak.
      const dueAt = startedAt + (added / share) * seconds * 1000;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - performance.now())));
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, index) => write(index)));
  return ends;
}
