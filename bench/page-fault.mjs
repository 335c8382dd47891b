const BYTES = 64 * 2 ** 20;

/**
 * Measures how long the kernel takes to give the process a new page of memory. Virtual machines differ in this by a factor of more
 * than ten, and large responses need much new memory.
 * @returns {number} microseconds
 */
export function measurePageFault() {
  const before = process.resourceUsage().minorPageFault;
  const start = performance.now();
  Buffer.allocUnsafeSlow(BYTES).fill(1);
  const us = (performance.now() - start) * 1_000;
  return us / (process.resourceUsage().minorPageFault - before);
}
