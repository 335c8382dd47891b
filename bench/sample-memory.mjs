import { memoryBytes } from './proc.mjs';

const SAMPLE_MS = 20;

/**
 * Measures by how much the resident memory of a process rises at most while `work` runs.
 * @template T
 * @param {number} pid
 * @param {() => Promise<T>} work
 * @returns {Promise<{result: T, aboveRestBytes: number | null}>} aboveRestBytes: null if the system does not report it
 */
export async function sampleMemory(pid, work) {
  const rest = memoryBytes(pid);
  let peak = rest;
  const sampling = setInterval(() => {
    peak = Math.max(peak ?? 0, memoryBytes(pid) ?? 0);
  }, SAMPLE_MS);
  try {
    const result = await work();
    return { result, aboveRestBytes: rest === null || peak === null ? null : peak - rest };
  } finally {
    clearInterval(sampling);
  }
}
