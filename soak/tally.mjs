/** What a soak has seen of its answers. */
export class Tally {
  #allows;
  #noteCreated;
  /** @type {Map<string, number>} */
  #counts = new Map();
  /** @type {number[]} */
  #durations = [];
  #slowestRefusal = 0;
  /** What was answered wrongly, or refused where nothing was disturbed. @type {string[]} */
  wrong = [];
  /** Creations without an answer. @type {import('./operations.mjs').Request[]} */
  unanswered = [];
  /** Names of creations that were answered. @type {string[]} */
  acknowledged = [];

  /**
   * @param {import('./disturbances.mjs').Disturbance['allows']} allows
   * @param {(name: string) => void} noteCreated
   */
  constructor(allows, noteCreated) {
    this.#allows = allows;
    this.#noteCreated = noteCreated;
  }

  /** @param {import('./load.mjs').Outcome} outcome */
  add({ request, status, body, startedAt, ms }) {
    const isRefused = status === 503 || status === 0;
    const kind = status === 503 ? 'refused (503)' : status === 0 ? 'no answer' : 'answered';
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    if (isRefused) {
      if (request.key) this.unanswered.push(request);
      this.#slowestRefusal = Math.max(this.#slowestRefusal, ms);
      if (!this.#allows(status, startedAt, startedAt + ms)) {
        this.wrong.push(`${request.what}: ${status === 0 ? body : status} while nothing was disturbed`);
      }
      return;
    }
    this.#durations.push(ms);
    if (!request.isRight(status, body)) this.wrong.push(`${request.what}: ${status} ${JSON.stringify(body).slice(0, 200)}`);
    else if (request.key) this.acknowledge(request);
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
      `wrong answers: ${this.wrong.length}`,
      ...[...new Set(this.wrong)].slice(0, 10).map((text) => `  ${text}`),
      `times of answers: median ${share(0.5)} ms, p95 ${share(0.95)} ms, p99 ${share(0.99)} ms`,
      `slowest refusal: ${this.#slowestRefusal.toFixed(0)} ms`,
    ];
  }
}
