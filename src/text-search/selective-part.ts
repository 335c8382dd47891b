import { LRUCache } from 'lru-cache';
import type { EventText } from '../events/event.js';

/** Texts of some events, sampled across the log, and whether a trigram index finds events by their texts. */
export type TextSample = Readonly<Record<EventText, readonly string[]>> & { readonly isIndexed: boolean };

export type SelectiveParts = ReturnType<typeof createSelectiveParts>;

/** The lifetime of a sample; frequencies in a log change slowly. */
const RENEW_EVERY_MS = 600_000;

/** A trigram is frequent if more than this share of the texts contains it. Its list in the index is long and excludes little. */
const FREQUENT_SHARE = 0.3;

/** The preferred length of a selective part. A longer part would hardly select better, but need more trigrams to be looked up. */
const ENOUGH_CHARACTERS = 12;

/** The number of characters and pieces of a literal to examine: enough to find a part, and a bound on the work. */
const MAX_CHARACTERS = 500;
const MAX_PIECES = 4;

/** A sample of fewer texts, as from a new log, does not show what is frequent. It is renewed soon. */
const MIN_TEXTS = 50;
const RENEW_SOON_MS = 5_000;

/** Finds three letters or digits in a row. The index contains such trigrams. */
const INDEXED = /[a-z0-9]{3}/i;

/** Trigrams in the index, where a blank is the beginning or the end of a word. A trigram across two words is not in the index. */
const TRIGRAM = /^(?:[a-z0-9]{3}| [a-z0-9]{2}|[a-z0-9]{2} | [a-z0-9] )$/;

/** A part is looked up for ASCII texts only. The case folding of other letters may depend on neighbors that the part cuts off. */
const ASCII = /^[ -~]*$/;

/** Letters and digits outside of ASCII. The index has their trigrams, but the sample does not count them. */
const OTHER_LETTERS = /(?!\p{ASCII})[\p{L}\p{N}]/u;

type Sample = Readonly<Record<EventText, Frequencies>> & { readonly isIndexed: boolean };

/**
 * Chooses the **selective part** of a literal, which is looked up in a trigram index. The results stay the same, because the rows
 * found are compared with the whole literal. PostgreSQL alone would look up the whole literal, which is slower: if every event
 * has a `groupId`, looking up `"groupId" : "checkout-77"` takes eight times as long as looking up `checkout-77"`
 * (docs/decisions/013-selective-part-of-a-literal.md).
 */
export function createSelectiveParts(readSample: () => Promise<TextSample>) {
  const samples = new LRUCache<'sample', Sample>({
    max: 1,
    ttl: RENEW_EVERY_MS,
    // While a sample is renewed, requests use the previous one.
    allowStale: true,
    fetchMethod: async (_, previous, { options }) => {
      try {
        const { data, preData, tags, isIndexed } = await readSample();
        if (data.length < MIN_TEXTS) options.ttl = RENEW_SOON_MS;
        return { data: toFrequencies(data), preData: toFrequencies(preData), tags: toFrequencies(tags), isIndexed };
      } catch (error) {
        if (previous) return previous;
        throw error;
      }
    },
  });
  return {
    /** Finds a part of `literal` between its first and its last rare trigram; null if the whole literal should be looked up. */
    async find(literal: string, kind: EventText): Promise<string | null> {
      const sample = await samples.forceFetch('sample');
      return findSelectivePart(literal, sample[kind]);
    },

    /** Estimates the share of all events that a search for `literal` reads; 1 if the index or the sample does not help. */
    async estimateShare(literal: string, kind: EventText): Promise<number> {
      const sample = await samples.forceFetch('sample');
      const { texts, frequent } = sample[kind];
      if (!sample.isIndexed || texts.length < MIN_TEXTS || !INDEXED.test(literal)) return 1;
      const part = (findSelectivePart(literal, sample[kind]) ?? literal).toLowerCase();
      const found = texts.filter((text) => text.includes(part)).length;
      // If all trigrams of the part are frequent, the index finds nearly all rows, even if no row contains the part.
      if (found === 0 && !OTHER_LETTERS.test(part) && !trigramsOf(part).some(isRareIn(frequent))) return 1;
      return (1 + found) / (1 + texts.length);
    },
  };
}

interface Frequencies {
  /** The texts in lower case. */
  readonly texts: readonly string[];
  /** The trigrams of the index that many of the texts contain. */
  readonly frequent: ReadonlySet<string>;
}

function toFrequencies(sample: readonly string[]): Frequencies {
  const texts = sample.map((text) => text.toLowerCase());
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const trigram of new Set(trigramsOf(text))) counts.set(trigram, (counts.get(trigram) ?? 0) + 1);
  }
  const frequent = [...counts].filter(([, count]) => count > texts.length * FREQUENT_SHARE).map(([trigram]) => trigram);
  return { texts, frequent: new Set(frequent) };
}

function findSelectivePart(literal: string, { texts, frequent }: Frequencies): string | null {
  if (texts.length < MIN_TEXTS || !ASCII.test(literal)) return null;
  const lowerCase = literal.toLowerCase();
  const isSeen = (part: string) => texts.some((text) => text.includes(part));
  // A literal that occurs in the sample matches many events. PostgreSQL can judge best whether to find them by a scan from the
  // newest event.
  if (isSeen(lowerCase)) return null;

  const isRare = trigramsOf(literal.slice(0, MAX_CHARACTERS)).map(isRareIn(frequent));
  const hasRare = (piece: string) => trigramsOf(piece).some(isRareIn(frequent));
  const between = literal.slice(isRare.indexOf(true), isRare.lastIndexOf(true) + 3);
  const pieces = Array.from({ length: MAX_PIECES }, (_, piece) =>
    between.slice(piece * ENOUGH_CHARACTERS, (piece + 1) * ENOUGH_CHARACTERS),
  );
  const part = pieces.find((piece) => INDEXED.test(piece) && hasRare(piece) && !isSeen(piece.toLowerCase())) ?? between;
  return part.length < literal.length && INDEXED.test(part) ? part : null;
}

const isRareIn = (frequent: ReadonlySet<string>) => (trigram: string) => TRIGRAM.test(trigram) && !frequent.has(trigram);

/**
 * Returns the three characters that begin at each place. Everything except ASCII letters and digits counts as a blank between
 * words, although the index also has trigrams with other letters.
 */
function trigramsOf(text: string): string[] {
  const words = text.toLowerCase().replaceAll(/[^a-z0-9]/g, ' ');
  return Array.from({ length: Math.max(0, words.length - 2) }, (_, start) => words.slice(start, start + 3));
}
