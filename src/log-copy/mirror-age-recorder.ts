import type { MirrorStore } from './mirror.store.js';

/** The least time between two records of a complete copy. Gateways treat a copy as old after a minute (mirror-age.ts). */
const COMPLETE_EVERY_MS = 5_000;

/** The least time between two records of a response. While the copy is complete, `recordComplete` also records the responses. */
const RESPONSE_EVERY_MS = 10_000;

/** Records when Unleash last responded and when the copy was last complete, each at most every few seconds. */
export function createMirrorAgeRecorder(
  store: Pick<MirrorStore, 'recordResponse' | 'recordComplete'>,
  responseEveryMs: number = RESPONSE_EVERY_MS,
  completeEveryMs: number = COMPLETE_EVERY_MS,
) {
  let respondedAt = Number.NEGATIVE_INFINITY;
  let completedAt = Number.NEGATIVE_INFINITY;
  return {
    /** Records that Unleash has responded. */
    async recordResponse(): Promise<void> {
      const now = performance.now();
      if (now - respondedAt < responseEveryMs) return;
      await store.recordResponse();
      respondedAt = now;
    },

    /**
     * Records that the copy has every event that Unleash had at `since`, a time of `Date.now()`. With `always`, writes the record
     * even if the last one is recent.
     */
    async recordComplete(since: number, always = false): Promise<void> {
      const now = performance.now();
      if (!always && now - completedAt < completeEveryMs) return;
      // After the clock was set back, `since` may be in the future.
      await store.recordComplete(Math.max(0, Date.now() - since));
      completedAt = respondedAt = now;
    },
  };
}
