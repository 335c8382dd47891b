/** Each kind of flaw is shown by the first that has it. */
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
