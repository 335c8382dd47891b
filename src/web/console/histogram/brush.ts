import { isTime } from '../filter/relative-time.js';
import type { HistogramModel, Mark } from './histogram-model.js';

/** The selected buckets lie between the edges `from` and `to`. Edge 0 is the beginning of the first bucket, edge 1 its end. */
export interface Selection {
  readonly from: number;
  /** Above `from`, so that at least one bucket is selected. */
  readonly to: number;
}

/** One of the two ends of a brush. */
export type Handle = 'from' | 'to';

/** Returns the index of the bucket at `x`, or undefined outside of the histogram. */
export function findBucket({ bars, width }: HistogramModel, x: number): number | undefined {
  const index = Math.floor((x / width) * bars.length);
  return index >= 0 && index < bars.length ? index : undefined;
}

export const selectBucket = (index: number): Selection => ({ from: index, to: index + 1 });

/** Selects the buckets between two positions of the pointer, in either order. Undefined if the histogram has no buckets. */
export function selectBetween({ bars, width }: HistogramModel, x: number, otherX: number): Selection | undefined {
  if (bars.length === 0) return undefined;
  const [left, right] = [Math.min(x, otherX), Math.max(x, otherX)].map((place) => (place / width) * bars.length);
  const from = clamp(Math.floor(left ?? 0), 0, bars.length - 1);
  return { from, to: clamp(Math.ceil(right ?? 0), from + 1, bars.length) };
}

/** Returns the horizontal position and width of a selection. */
export function markSelection({ bars, width }: HistogramModel, { from, to }: Selection): Mark {
  return { x: (from / bars.length) * width, width: ((to - from) / bars.length) * width };
}

/**
 * Moves a handle by a key, as WAI-ARIA specifies for sliders. The handle stops at the ends of the histogram and one bucket before
 * the other handle.
 * @param key as in `KeyboardEvent.key`. Page keys move by a tenth of the buckets, but by at least two
 * @returns undefined for a key that moves no slider
 */
export function moveHandle({ bars }: HistogramModel, selection: Selection, handle: Handle, key: string): Selection | undefined {
  const page = Math.max(2, Math.round(bars.length / 10));
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowDown: -1,
    ArrowRight: 1,
    ArrowUp: 1,
    PageDown: -page,
    PageUp: page,
    Home: -bars.length,
    End: bars.length,
  };
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined;
  if (step === undefined) return undefined;
  const [min, max] = limitsOf(bars.length, selection, handle);
  return { ...selection, [handle]: clamp(selection[handle] + step, min, max) };
}

/** The lowest and the highest edge that a handle can take: `aria-valuemin` and `aria-valuemax`. */
export function limitsOf(count: number, { from, to }: Selection, handle: Handle): readonly [min: number, max: number] {
  return handle === 'from' ? [0, to - 1] : [from + 1, count];
}

/**
 * Returns the times of a selection for the filter. Leaves an end open if its year is before 0001 or after 9999, which the API
 * does not accept.
 */
export function toTimes(
  { edges }: HistogramModel,
  { from, to }: Selection,
): { readonly since?: string; readonly until?: string } {
  const [since, until] = [from, to].map((edge) => new Date(edges[edge] ?? Number.NaN));
  const print = (at: Date | undefined) => (at === undefined || Number.isNaN(at.getTime()) ? '' : at.toISOString());
  return { ...(isTime(print(since)) && { since: print(since) }), ...(isTime(print(until)) && { until: print(until) }) };
}

const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value));
