import { setTimeout } from 'node:timers/promises';

const CHECKED_EVERY_MS = 10;
const DEADLINE_MS = 15_000;

/** Waits until a condition holds. @throws an error that names the condition if it does not hold within 15 seconds */
export async function waitUntil(condition: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Not within ${DEADLINE_MS / 1000} seconds: ${condition}.`);
    await setTimeout(CHECKED_EVERY_MS);
  }
}
