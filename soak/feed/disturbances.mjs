/** A gateway is killed every five seconds, and connections are cut in between. */
const PAUSE_MS = 2_500;

const MAX_STARTS = 10;

/** Ends the connections of gateways and their commands. @param {string} condition */
const cutAll = (condition) => `
  SELECT count(pg_terminate_backend(pid))::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend' AND ${condition}`;

const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Finds the errors in the log of a gateway. @param {import('../../bench/child.mjs').Server} gateway */
export const findErrors = (gateway) =>
  gateway
    .readOutput()
    .split('\n')
    .filter((line) => line.startsWith('{"level":50') || line.startsWith('{"level":60'));

/**
 * Cuts all connections to the database, and kills a gateway and starts it again, in turn until `isOver`. Nothing is cut while a gateway starts,
 * because it would give up.
 * @param {Pick<import('./stage.mjs').FeedStage, 'gateways' | 'start' | 'query' | 'cut'>} stage
 * @param {() => boolean} isOver
 * @returns {Promise<{killed: number, cut: number, errors: string[]}>} the errors in the logs of the killed gateways
 */
export async function disturb({ gateways, start, query, cut: condition }, isOver) {
  /** @type {string[]} */
  const errors = [];
  let cut = 0;
  for (let killed = 0; ; killed += 1) {
    await pause(PAUSE_MS);
    if (isOver()) return { killed, cut, errors };
    if (condition !== null) cut += (await query(cutAll(condition)))[0].count;
    await pause(PAUSE_MS);
    if (isOver()) return { killed, cut, errors };
    const index = killed % gateways.length;
    const gateway = gateways[index];
    await gateway?.kill();
    if (gateway) errors.push(...findErrors(gateway));
    gateways[index] = await startAgain(() => start(index));
  }
}

/**
 * Starts a gateway as a supervisor does: again if it fails. A gateway on the embedded database fails if the command that serves the database ends
 * meanwhile.
 * @type {(start: () => Promise<import('../../bench/child.mjs').Server>) => Promise<import('../../bench/child.mjs').Server>}
 */
async function startAgain(start) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start();
    } catch (error) {
      if (attempt === MAX_STARTS) throw error;
    }
  }
}
