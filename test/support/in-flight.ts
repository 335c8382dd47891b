const IN_FLIGHT = 8;

/** Runs `work` for each item, with a few items at a time. */
export async function forEachInFlight<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
}
