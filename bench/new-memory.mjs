const BYTES = 64 * 2 ** 20;
const PAGE_BYTES = 4096;

/**
 * Measures how long the process takes to write to new memory for the first time. The kernel then has to provide the memory. Virtual
 * machines differ in this by a factor of more than ten, and large responses need much new memory.
 * @returns {number} microseconds for 4 kB
 */
export function measureNewMemory() {
  const start = performance.now();
  Buffer.allocUnsafeSlow(BYTES).fill(1);
  return ((performance.now() - start) * 1_000) / (BYTES / PAGE_BYTES);
}
