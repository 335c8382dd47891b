/** Counts and checks the responses of a soak. */
export class Tally {
  #disturbance;
  #noteCreated;
  /** @type {Map<string, number>} */
  #counts = new Map();
  /** @type {number[]} */
  #durations = [];
  #slowestRefusal = 0;
  /** Wrong responses, and rejections without a disturbance. @type {string[]} */
  wrong = [];
  /** Creations without a response. @type {import('./operations.mjs').Request[]} */
  unanswered = [];
  /** Names of creations with a response. @type {string[]} */
  acknowledged = [];

  /**
   * @param {import('./disturbances.mjs').Disturbance} disturbance
   * @param {(name: string) => void} noteCreated
   */
  constructor(disturbance, noteCreated) {
    this.#disturbance = disturbance;
    this.#noteCreated = noteCreated;
  }

  /** @param {import('./load.mjs').Outcome} outcome */
  add(outcome) {
    const { request, status, body, startedAt, ms } = outcome;
    const isRefused = status === 503 || status === 0;
    const kind = status === 503 ? 'rejected (503)' : status === 0 ? 'without a response' : 'completed';
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    if (isRefused) {
      if (request.key) this.unanswered.push(request);
      this.#slowestRefusal = Math.max(this.#slowestRefusal, ms);
      const flaw = this.#findFlaw(outcome);
      if (flaw) this.wrong.push(`${request.what}: ${flaw}`);
      return;
    }
    this.#durations.push(ms);
    if (this.#disturbance.refusesAll?.(startedAt, startedAt + ms))
      this.wrong.push(`${request.what}: ${status} where only 503 is correct`);
    else if (!request.isRight(status, body)) this.wrong.push(`${request.what}: ${status} ${JSON.stringify(body).slice(0, 200)}`);
    else if (request.key) this.acknowledge(request);
  }

  /** Finds the flaw of a rejection or of a missing response. @param {import('./load.mjs').Outcome} outcome */
  #findFlaw({ status, body, retryAfter, url, startedAt, ms }) {
    const { allows, refusesWithinMs = Number.POSITIVE_INFINITY } = this.#disturbance;
    if (!allows(status, startedAt, startedAt + ms, url)) return `${status === 0 ? body : status} while nothing was disturbed`;
    if (status === 503 && !/^[1-9]\d*$/.test(retryAfter ?? '')) return `503 with retry-after ${retryAfter}`;
    return ms > refusesWithinMs ? `rejected after ${Math.ceil(ms / 100) / 10} s` : null;
  }

  /** @param {import('./operations.mjs').Request} request */
  acknowledge({ body }) {
    const { name, variables } = /** @type {any} */ (body);
    this.acknowledged.push(name ?? variables.input.name);
    this.#noteCreated(name ?? variables.input.name);
  }

  /** @returns {string[]} */
  describe() {
    const sorted = this.#durations.toSorted((a, b) => a - b);
    const share = (/** @type {number} */ part) => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(1);
    return [
      `requests: ${[...this.#counts].map(([kind, count]) => `${count} ${kind}`).join(', ')}`,
      `wrong responses: ${this.wrong.length}`,
      ...[...new Set(this.wrong)].slice(0, 10).map((text) => `  ${text}`),
      `response times: median ${share(0.5)} ms, p95 ${share(0.95)} ms, p99 ${share(0.99)} ms`,
      `slowest rejection: ${this.#slowestRefusal.toFixed(0)} ms`,
    ];
  }
}
