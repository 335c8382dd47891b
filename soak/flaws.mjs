/** Counts flaws by kind, and keeps the first example of each kind. */
export function createFlaws() {
  /** @type {Map<string, {count: number, first: string}>} */
  const kinds = new Map();
  let count = 0;
  return {
    get count() {
      return count;
    },
    /** @type {(flaw: string, describeFirst: () => string) => void} */
    add(flaw, describeFirst) {
      count += 1;
      const kind = kinds.get(flaw);
      if (kind) kind.count += 1;
      else kinds.set(flaw, { count: 1, first: describeFirst() });
    },
    describe: () => [...kinds].map(([flaw, { count, first }]) => `\n${count} times: ${flaw}\n${first}\n`).join(''),
  };
}
