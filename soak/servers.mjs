import { memoryBytes } from '../bench/proc.mjs';

const MEMORY_EVERY_MS = 2_000;
/** Time for caches to fill and for the JavaScript compiler to do its work. */
const WARM_UP_MS = 60_000;

/**
 * Watches CPU time and memory of the servers from now on.
 * @param {Pick<import('./stage.mjs').Stage, 'gateways' | 'cpuMs'>} stage
 * @returns {(requests: number) => {lines: string[], growth: number}} stops watching and describes the figures for that number of requests; `growth`
 *   is the largest relative growth of a gateway's memory
 */
export function watchServers({ gateways, cpuMs }) {
  const memory = /** @type {number[][]} */ (gateways.map(() => []));
  const before = cpuMs();
  const startedAt = performance.now();
  const sampling = setInterval(() => {
    if (performance.now() - startedAt < WARM_UP_MS) return;
    gateways.forEach(({ pid }, index) => {
      const bytes = memoryBytes(pid);
      if (bytes) memory[index]?.push(bytes);
    });
  }, MEMORY_EVERY_MS);
  return (requests) => {
    clearInterval(sampling);
    const spent = Object.entries(cpuMs()).map(([name, ms]) => `${name} ${((ms - (before[name] ?? 0)) / requests).toFixed(2)} s`);
    const halves = memory.map(toHalves);
    return {
      lines: [
        ...halves.map((both, index) => `memory of gateway ${index + 1}: ${both ? describe(both) : 'the run was too short'}`),
        `CPU time for 1,000 requests: ${spent.join(', ')}`,
      ],
      growth: Math.max(...halves.map((both) => both?.growth ?? 0)),
    };
  };
}

/** @typedef {{first: number, second: number, growth: number}} Halves */

/** @param {number[]} samples @returns {Halves | null} */
function toHalves(samples) {
  if (samples.length < 4) return null;
  const mean = (/** @type {number[]} */ part) => part.reduce((sum, bytes) => sum + bytes, 0) / part.length;
  const half = Math.floor(samples.length / 2);
  const [first, second] = [mean(samples.slice(0, half)), mean(samples.slice(half))];
  return { first, second, growth: second / first - 1 };
}

/** @param {Halves} halves */
function describe({ first, second, growth }) {
  const [before, after] = [first, second].map((bytes) => `${Math.round(bytes / 2 ** 20)} MB`);
  return `${before} in the first half, ${after} in the second (${(growth * 100).toFixed(1)} %)`;
}
