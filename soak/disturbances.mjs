/**
 * @typedef {object} Disturbance
 * @property {() => Promise<void>} run
 * @property {(status: number, from: number, to: number, url: string) => boolean} allows whether a request in that time can be rejected (503) or lost (0)
 * @property {(from: number, to: number) => boolean} [refusesAll] whether every request in that time must be rejected
 * @property {number} [refusesWithinMs]
 * @property {() => string[]} describe
 */

/**
 * The disturbed servers, the number of disturbances and their time span.
 * @typedef {Pick<import('./stage.mjs').Stage, 'postgres' | 'gateways' | 'start' | 'urls'> & {times: number, seconds: number, tell: (text: string) => void}} Stage
 */

const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** How long the database stays unavailable. */
const OUTAGE_MS = 3_000;
/** Time limit for rejecting all requests after the stop, and for serving them again after the return. */
const RECOVERY_MS = 2_000;

/** Time limit for haproxy to notice a new gateway. Only then may the other gateway stop. */
const NOTICED_MS = 6_000;

/** Records time spans with allowed failures. */
function createSpans() {
  /** @type {{from: number, to: number, url: string | null}[]} */
  const spans = [];
  return {
    /** @param {string | null} [url] the only disturbed server; null for all */
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

/**
 * Runs `work` `times` times, spread evenly over the time span.
 * @type {(stage: Stage, work: (n: number) => Promise<void>) => Promise<void>}
 */
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
  const outages = createSpans();
  /** The part of each outage after all gateways have noticed it. @type {{from: number, to: number}[]} */
  const known = [];
  return {
    run: () =>
      spread(stage, async (n) => {
        tell(`stopping PostgreSQL at once, ${n + 1} of ${times}`);
        const span = outages.begin();
        await postgres.kill();
        const from = performance.now() + RECOVERY_MS;
        await pause(OUTAGE_MS);
        known.push({ from, to: performance.now() });
        await postgres.start();
        span.end(RECOVERY_MS);
      }),
    allows: (status, from, to) => status === 503 && outages.overlap(from, to),
    refusesAll: (from, to) => known.some((span) => from >= span.from && to <= span.to),
    refusesWithinMs: RECOVERY_MS,
    describe: () => [
      `PostgreSQL stopped at once: ${outages.count} times, for ${OUTAGE_MS / 1000} s each; 503 is correct until ${RECOVERY_MS / 1000} s after its return`,
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
        // Behind haproxy, a request can go to either gateway.
        const span = down.begin(urls.length > 1 ? urls[index] : null);
        await gateways[index]?.kill();
        gateways[index] = await start(index);
        span.end(0);
      }),
    // A killed gateway sends no response.
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

/** The disturbances by the value of `--disturb`. */
export const DISTURBANCES = {
  none: () => ({ run: async () => undefined, allows: () => false, describe: () => /** @type {string[]} */ ([]) }),
  database: killDatabase,
  gateway: killGateways,
  roll: rollGateways,
};
