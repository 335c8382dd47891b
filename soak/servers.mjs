import { memoryBytes } from '../bench/proc.mjs';

const MEMORY_EVERY_MS = 2_000;
/** Caches fill, and the compiler of JavaScript does its work. */
const WARM_UP_MS = 60_000;

/**
 * Watches what servers take from now on.
 * @param {Pick<import('./stage.mjs').Stage, 'gateways' | 'cpuMs'>} stage
 * @returns {(requests: number) => string[]} ends it, and describes it for so many requests
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
    return [
      ...memory.map((samples, index) => `memory of gateway ${index + 1}: ${describeMemory(samples)}`),
      `CPU time for 1,000 requests: ${spent.join(', ')}`,
    ];
  };
}

/** @param {number[]} samples */
function describeMemory(samples) {
  if (samples.length < 4) return 'too short to tell';
  const mean = (/** @type {number[]} */ part) => part.reduce((sum, bytes) => sum + bytes, 0) / part.length;
  const half = Math.floor(samples.length / 2);
  const [first, second] = [mean(samples.slice(0, half)), mean(samples.slice(half))];
  const growth = ((second / first - 1) * 100).toFixed(1);
  return `${Math.round(first / 2 ** 20)} MB in the first half, ${Math.round(second / 2 ** 20)} MB in the second (${growth} %)`;
}
