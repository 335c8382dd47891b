/**
 * Returns the smallest value that at least `share` of the values do not exceed.
 * @type {(values: readonly number[], share: number) => number}
 */
export function percentile(values, share) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** @type {(values: readonly number[]) => number} */
export const median = (values) => percentile(values, 0.5);

/** The median of the known values; null without any. @type {(values: readonly (number | null)[]) => number | null} */
export function medianIfKnown(values) {
  const known = values.filter((value) => value !== null);
  return known.length > 0 ? median(known) : null;
}
