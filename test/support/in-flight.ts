const IN_FLIGHT = 8;

/** Does the work for each item, for some of them at a time. */
export async function forEachInFlight<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
}
