/** Pseudorandom choices. The same seed gives the same choices. */
export interface Random {
  /** Returns a number from 0 to below 1. */
  next(): number;
  pick<T>(items: readonly T[]): T;
  /** Picks an item with a probability in proportion to its weight. */
  pickWeighted<T>(items: readonly (readonly [weight: number, item: T])[]): T;
}

/** Creates a generator by the algorithm mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const pick = <T>(items: readonly T[]) => items[Math.floor(next() * items.length)] as T;
  return {
    next,
    pick,
    pickWeighted: (items) => pick(items.flatMap(([weight, item]) => Array.from({ length: weight }, () => item))),
  };
}
