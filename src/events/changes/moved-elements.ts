/**
 * Finds the fewest elements to move so that all are in the new order: those outside of a longest increasing subsequence.
 * @param positions the old position of each element, in the new order. All differ
 * @returns the indexes in `positions` of the elements that moved. Takes O(n log n) time
 */
export function findMoved(positions: readonly number[]): ReadonlySet<number> {
  /** For each length, the index of the lowest position at which an increasing subsequence of this length ends. */
  const ends: number[] = [];
  /** For each index, the index before it in the longest increasing subsequence that ends there. */
  const previous: (number | undefined)[] = [];
  for (const [index, position] of positions.entries()) {
    const length = countLower(ends, positions, position);
    previous.push(ends[length - 1]);
    ends[length] = index;
  }
  const moved = new Set(positions.keys());
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) moved.delete(index);
  return moved;
}

/** Returns how many ends have a lower position. The positions of the ends are ascending. */
function countLower(ends: readonly number[], positions: readonly number[], position: number): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((positions[ends[middle] ?? 0] ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}
