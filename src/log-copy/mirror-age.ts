import type { Read } from '../database/read.js';

/** How old the copy of an Unleash log is. Times are RFC 3339 date-times of the database's clock. */
export interface MirrorAge {
  /** When Unleash last responded to the mirror. Null before the first response. */
  readonly lastResponseAt: string | null;
  /** The copy has every event that Unleash had at this time. Null while the first copy is not complete. */
  readonly completeAt: string | null;
  /** The highest id in the copy when `completeAt` was recorded. Null while `completeAt` is null. */
  readonly completeUpTo: number | null;
  /** How long ago `completeAt` was, in milliseconds. */
  readonly ageMs: number | null;
}

export interface MirrorWatch {
  /** Returns the `MirrorAge` that was read last, with `ageMs` as of now; null if the log is no copy. */
  read(): MirrorAge | null;
  stop(): Promise<void>;
}

/** The watch for an Unleash database, which has the log itself and no copy. */
export const NO_MIRROR: MirrorWatch = { read: () => null, stop: async () => undefined };

/** The time between two reads. The mirror writes its record every five seconds (mirror-age-recorder.ts). */
const READ_EVERY_MS = 5_000;

/** A copy counts as old above this age. While a mirror runs, the copy is some ten seconds old. A restart takes under a minute. */
const OLD_AFTER_MS = 60_000;

const FORMAT = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
const AGE = {
  text: `
    SELECT to_char(responded_at AT TIME ZONE 'UTC', '${FORMAT}') AS "lastResponseAt",
      to_char(complete_at AT TIME ZONE 'UTC', '${FORMAT}') AS "completeAt", complete_up_to AS "completeUpTo",
      (1000 * extract(epoch FROM now() - complete_at))::float8 AS "ageMs"
    FROM gateway_mirror`,
  values: [],
};

/**
 * Reads the age of the copy in the background, so that no request waits for it. The reads go on even if the log is no copy,
 * because a mirror may turn the log into a copy later.
 */
export async function watchMirror(read: Read, everyMs: number = READ_EVERY_MS): Promise<MirrorWatch> {
  const stopping = new AbortController();
  let latest: { readonly age: MirrorAge; readonly readAt: number } | null = null;

  const refresh = async (): Promise<void> => {
    const [age] = await read<MirrorAge>(AGE, { signal: stopping.signal });
    // `performance.now()` would leave out the time for which the machine was suspended.
    latest = age ? { age, readAt: Date.now() } : null;
  };

  await refresh();
  let reading: Promise<void> | null = null;
  const timer = setInterval(() => {
    // If a read fails, the last state stays, and its age grows.
    reading ??= refresh()
      .catch(() => undefined)
      .finally(() => {
        reading = null;
      });
  }, everyMs);
  return {
    read() {
      if (latest === null) return null;
      const { age, readAt } = latest;
      return { ...age, ageMs: age.ageMs === null ? null : age.ageMs + Date.now() - readAt };
    },
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await reading;
    },
  };
}

/**
 * Returns the value of the header `mirror-complete-at` (http/copy-age.ts) for responses from an old copy; null if the log is not
 * an old copy.
 */
export function findOldCopy(age: MirrorAge | null): string | null {
  if (age === null || (age.ageMs !== null && age.ageMs <= OLD_AFTER_MS)) return null;
  return age.completeAt ?? 'never';
}

/** Returns the field `mirror` of the body of `/readyz`; no field if the log is no copy. */
export function describeMirror(age: MirrorAge | null): object {
  if (age === null) return {};
  const { lastResponseAt, completeAt, completeUpTo } = age;
  return { mirror: { lastResponseAt, completeAt, completeUpTo } };
}
