import type { MirrorStore } from './mirror.store.js';

/** Gateways call a copy old after a minute, so they need no more records than this. */
const RECORD_EVERY_MS = 5_000;

export type LookRecorder = ReturnType<typeof createLookRecorder>;

/** Records when Unleash last responded and when the copy was last complete, each at most every few seconds. */
export function createLookRecorder(store: Pick<MirrorStore, 'recordLook' | 'recordComplete'>, everyMs: number = RECORD_EVERY_MS) {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let completedAt = Number.NEGATIVE_INFINITY;
  return {
    /** Unleash has responded. */
    async look(): Promise<void> {
      const now = performance.now();
      if (now - lookedAt < everyMs) return;
      await store.recordLook();
      lookedAt = now;
    },

    /** The copy has every event that Unleash had at `since`, a time of `performance.now()`. `always` skips the wait between two records. */
    async complete(since: number, always = false): Promise<void> {
      const now = performance.now();
      if (!always && now - completedAt < everyMs) return;
      await store.recordComplete(now - since);
      completedAt = lookedAt = now;
    },
  };
}
