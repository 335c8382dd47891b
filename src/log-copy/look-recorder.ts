import type { MirrorStore } from './mirror.store.js';

/** The time between two records of a complete copy. Gateways call a copy old after a minute. */
const COMPLETE_EVERY_MS = 5_000;

/** A record of a complete copy also records the look, so a look alone is recorded only while the copy is not complete. */
const LOOK_EVERY_MS = 10_000;

/** Records when Unleash last responded and when the copy was last complete, each at most every few seconds. */
export function createLookRecorder(
  store: Pick<MirrorStore, 'recordLook' | 'recordComplete'>,
  lookEveryMs: number = LOOK_EVERY_MS,
  completeEveryMs: number = COMPLETE_EVERY_MS,
) {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let completedAt = Number.NEGATIVE_INFINITY;
  return {
    /** Unleash has responded. */
    async look(): Promise<void> {
      const now = performance.now();
      if (now - lookedAt < lookEveryMs) return;
      await store.recordLook();
      lookedAt = now;
    },

    /** The copy has every event that Unleash had at `since`, a time of `performance.now()`. `always` skips the wait between two records. */
    async complete(since: number, always = false): Promise<void> {
      const now = performance.now();
      if (!always && now - completedAt < completeEveryMs) return;
      await store.recordComplete(now - since);
      completedAt = lookedAt = now;
    },
  };
}
