import pg from 'pg';

/** No request of the benchmark reads the events of this flag, so that pages and totals stay the same. */
const FLAG = 'added-flag';

const INSERT = {
  name: 'insert',
  text: `INSERT INTO events (type, created_by, created_by_user_id, environment, project, feature_name, data)
    VALUES ('feature-updated', 'user-1@example.com', 1, 'production', 'project-1', $1, '{"name":"flexibleRollout","disabled":false}')
    RETURNING id`,
  values: [FLAG],
};

/** @param {pg.Client} client */
export const addEvent = (client) => client.query(INSERT);

/**
 * Adds an event to the log again and again, over a connection of its own, while `work` runs.
 * @template T
 * @param {string} databaseUrl
 * @param {number | null} everyMs null for no event
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withAddedEvents(databaseUrl, everyMs, work) {
  if (everyMs === null) return work();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  const adding = setInterval(() => {
    last = last.then(() => addEvent(client));
    last.catch(() => undefined); // Awaited below.
  }, everyMs);
  try {
    return await work();
  } finally {
    clearInterval(adding);
    await last;
    await client.end();
  }
}
