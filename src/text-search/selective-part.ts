import { LRUCache } from 'lru-cache';
import type { EventText } from '../events/event.js';

/** Texts of some events, spread over the log. */
export type TextSample = Readonly<Record<EventText, readonly string[]>>;

export type SelectiveParts = ReturnType<typeof createSelectiveParts>;

/** How long one sample serves: what is frequent in a log changes slowly. */
const RENEW_EVERY_MS = 600_000;

/** Three characters that more of the texts have than this are a long list in the index, and exclude little. */
const FREQUENT_SHARE = 0.3;

/** So many characters tell as much as a longer part, whose every three would be looked up as well. */
const ENOUGH_CHARACTERS = 12;

/** As much of a literal is looked at: enough to find a part, and little work however long it is. */
const MAX_CHARACTERS = 500;
const MAX_PIECES = 4;

/** Fewer texts tell nothing, as in a log that has just begun, which is looked at again soon. */
const MIN_TEXTS = 50;
const RENEW_SOON_MS = 5_000;

/** The index knows letters and digits, by three that follow each other. */
const INDEXED = /[a-z0-9]{3}/i;

/** How other letters are folded may depend on those beside them, which a part would lack. */
const ASCII = /^[ -~]*$/;

/**
 * Tells which part of a literal to look up in a trigram index. PostgreSQL would look up all of it, and `"groupId" : "checkout-77"` takes ten
 * times as long as `checkout-77"` where every event has a `groupId`. This is about speed alone.
 */
export function createSelectiveParts(readSample: () => Promise<TextSample>) {
  const samples = new LRUCache<'sample', Record<EventText, Frequencies>>({
    max: 1,
    ttl: RENEW_EVERY_MS,
    // Who comes while it is renewed goes by the one before.
    allowStale: true,
    fetchMethod: async (_, previous, { options }) => {
      try {
        const { data, preData, tags } = await readSample();
        if (data.length < MIN_TEXTS) options.ttl = RENEW_SOON_MS;
        return { data: toFrequencies(data), preData: toFrequencies(preData), tags: toFrequencies(tags) };
      } catch (error) {
        if (previous) return previous;
        throw error;
      }
    },
  });
  return {
    /** A part of `literal` between its first and its last rare characters; null where the whole of it may as well be looked up. */
    async find(literal: string, kind: EventText): Promise<string | null> {
      const sample = await samples.forceFetch('sample');
      return findSelectivePart(literal, sample[kind]);
    },
  };
}

interface Frequencies {
  /** In lower case. */
  readonly texts: readonly string[];
  /** Each three characters that many of the texts have. */
  readonly frequent: ReadonlySet<string>;
}

function toFrequencies(sample: readonly string[]): Frequencies {
  const texts = sample.map((text) => text.toLowerCase());
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const three of new Set(threesOf(text))) counts.set(three, (counts.get(three) ?? 0) + 1);
  }
  const frequent = [...counts].filter(([, count]) => count > texts.length * FREQUENT_SHARE).map(([three]) => three);
  return { texts, frequent: new Set(frequent) };
}

function findSelectivePart(literal: string, { texts, frequent }: Frequencies): string | null {
  if (texts.length < MIN_TEXTS || !ASCII.test(literal)) return null;
  const lowerCase = literal.toLowerCase();
  const isSeen = (part: string) => texts.some((text) => text.includes(part));
  // What many events have is found soonest by going through them from the newest, and PostgreSQL is better at telling which these are.
  if (isSeen(lowerCase)) return null;

  const isRare = threesOf(lowerCase.slice(0, MAX_CHARACTERS)).map((three) => !frequent.has(three));
  const between = literal.slice(isRare.indexOf(true), isRare.lastIndexOf(true) + 3);
  const pieces = Array.from({ length: MAX_PIECES }, (_, piece) =>
    between.slice(piece * ENOUGH_CHARACTERS, (piece + 1) * ENOUGH_CHARACTERS),
  );
  const part = pieces.find((piece) => INDEXED.test(piece) && !isSeen(piece.toLowerCase())) ?? between;
  return part.length < literal.length && INDEXED.test(part) ? part : null;
}

function threesOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - 2) }, (_, start) => text.slice(start, start + 3));
}
