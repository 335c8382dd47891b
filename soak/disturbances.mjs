/**
 * @typedef {object} Disturbance
 * @property {() => Promise<void>} run
 * @property {(status: number, from: number, to: number, url: string) => boolean} allows whether a request of that time may be refused (503) or lost (0)
 * @property {(from: number, to: number) => boolean} [refusesAll] whether any request of that time has to be refused
 * @property {number} [refusesWithinMs]
 * @property {() => string[]} describe
 */

/**
 * What is disturbed, how often and for how long.
 * @typedef {Pick<import('./stage.mjs').Stage, 'postgres' | 'gateways' | 'start' | 'urls'> & {times: number, seconds: number, tell: (text: string) => void}} Stage
 */

const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** How long the database stays away. */
const AWAY_MS = 3_000;
/** Within so long is everything refused, and with its return served again. */
const RECOVERY_MS = 2_000;

/** Within so long haproxy knows of a new gateway, and may lose the other one. */
const NOTICED_MS = 6_000;

/** Spans of time in which things may go wrong. */
function createSpans() {
  /** @type {{from: number, to: number, url: string | null}[]} */
  const spans = [];
  return {
    /** @param {string | null} [url] of what alone is disturbed */
    begin(url = null) {
      const span = { from: performance.now(), to: Number.POSITIVE_INFINITY, url };
      spans.push(span);
      return { end: (/** @type {number} */ graceMs) => (span.to = performance.now() + graceMs) };
    },
    overlap: (/** @type {number} */ from, /** @type {number} */ to, /** @type {string} */ at = '') =>
      spans.some(({ from: begin, to: end, url }) => from <= end && to >= begin && (url === null || url === at)),
    get count() {
      return spans.length;
    },
  };
}

/** Does something as often as asked, spread over the time. @type {(stage: Stage, work: (n: number) => Promise<void>) => Promise<void>} */
async function spread({ times, seconds }, work) {
  const everyMs = (seconds * 1000) / (times + 1);
  for (let n = 0; n < times; n += 1) {
    const nextAt = performance.now() + everyMs;
    await work(n);
    await pause(Math.max(0, nextAt - performance.now()));
  }
}

/** @type {(stage: Stage) => Disturbance} */
function killDatabase(stage) {
  const { times, postgres, tell } = stage;
  const away = createSpans();
  /** The part of each time away in which it is known everywhere. @type {{from: number, to: number}[]} */
  const known = [];
  return {
    run: () =>
      spread(stage, async (n) => {
        tell(`stopping PostgreSQL at once, ${n + 1} of ${times}`);
        const span = away.begin();
        await postgres.kill();
        const from = performance.now() + RECOVERY_MS;
        await pause(AWAY_MS);
        known.push({ from, to: performance.now() });
        await postgres.start();
        span.end(RECOVERY_MS);
      }),
    allows: (status, from, to) => status === 503 && away.overlap(from, to),
    refusesAll: (from, to) => known.some((span) => from >= span.from && to <= span.to),
    refusesWithinMs: RECOVERY_MS,
    describe: () => [
      `PostgreSQL stopped at once: ${away.count} times, for ${AWAY_MS / 1000} s each; 503 is right until ${RECOVERY_MS / 1000} s after its return`,
    ],
  };
}

/** @type {(stage: Stage) => Disturbance} */
function killGateways(stage) {
  const { times, gateways, start, tell, urls } = stage;
  const down = createSpans();
  return {
    run: () =>
      spread(stage, async (n) => {
        const index = n % gateways.length;
        tell(`killing gateway ${index + 1}, ${n + 1} of ${times}`);
        // Behind haproxy it may be either.
        const span = down.begin(urls.length > 1 ? urls[index] : null);
        await gateways[index]?.kill();
        gateways[index] = await start(index);
        span.end(0);
      }),
    // A gateway that is not there says nothing.
    allows: (status, from, to, url) => status === 0 && down.overlap(from, to, url),
    describe: () => [`gateways killed: ${down.count} times`],
  };
}

/** @type {(stage: Stage) => Disturbance} */
function rollGateways(stage) {
  const { times, gateways, start, tell } = stage;
  let count = 0;
  return {
    run: () =>
      spread(stage, async (n) => {
        const index = n % gateways.length;
        tell(`replacing gateway ${index + 1}, ${n + 1} of ${times}`);
        await gateways[index]?.stop();
        gateways[index] = await start(index);
        await pause(NOTICED_MS);
        count += 1;
      }),
    allows: () => false,
    describe: () => [`gateways replaced behind haproxy: ${count} times`],
  };
}

/** By the name that they have as an option. */
export const DISTURBANCES = {
  none: () => ({ run: async () => undefined, allows: () => false, describe: () => /** @type {string[]} */ ([]) }),
  database: killDatabase,
  gateway: killGateways,
  roll: rollGateways,
};
