import { formatDate, formatDayOfMonth, formatMonth, formatTimeOfDay } from '../time/format-time.js';

/** A bucket of `eventCounts`. */
export interface CountedBucket {
  readonly start: string;
  readonly end: string;
  readonly count: number;
}

/** A bar. `x` and `y` are its top left corner. All lengths are in the units of the drawing. */
export interface Bar {
  readonly index: number;
  readonly bucket: CountedBucket;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The drawing of a histogram. All bars have the same width, although months and the buckets at the ends can differ in length. */
export interface HistogramModel {
  readonly width: number;
  readonly height: number;
  readonly bars: readonly Bar[];
  /** The beginning of each bucket and the end of the last bucket, in milliseconds since 1970. Empty without buckets. */
  readonly edges: readonly number[];
  /** The count at the top of the vertical axis: a round number that is not below the largest count. */
  readonly maxCount: number;
}

/** A range of the horizontal axis. */
export interface Mark {
  readonly x: number;
  readonly width: number;
}

/** A label of the time axis. */
export interface TimeLabel {
  readonly x: number;
  readonly text: string;
}

/** A bar for one event has to be visible beside one for a million. */
const MIN_BAR_HEIGHT = 2;

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Lays out the bars of buckets that are ordered by time and without gaps, as `eventCounts` returns them. */
export function layOutHistogram(
  buckets: readonly CountedBucket[],
  { width, height }: { readonly width: number; readonly height: number },
): HistogramModel {
  const maxCount = roundUp(buckets.reduce((max, { count }) => Math.max(max, count), 1));
  const barWidth = buckets.length === 0 ? 0 : width / buckets.length;
  const bars = buckets.map((bucket, index): Bar => {
    const exact = (bucket.count / maxCount) * height;
    const barHeight = bucket.count === 0 ? 0 : Math.min(height, Math.max(MIN_BAR_HEIGHT, exact));
    return { index, bucket, x: index * barWidth, y: height - barHeight, width: barWidth, height: barHeight };
  });
  const last = buckets.at(-1);
  const edges = [...buckets.map(({ start }) => Date.parse(start)), ...(last ? [Date.parse(last.end)] : [])];
  return { width, height, bars, edges, maxCount };
}

/** Returns the counts to label on the vertical axis, the lowest first. */
export function listCountLabels({ maxCount }: HistogramModel): readonly number[] {
  return maxCount % 2 === 0 ? [0, maxCount / 2, maxCount] : [0, maxCount];
}

/** Labels the beginnings of at most `max` buckets in the time zone. */
export function listTimeLabels(model: HistogramModel, timeZone: string, max: number): readonly TimeLabel[] {
  const step = Math.max(1, Math.ceil(model.bars.length / Math.max(1, max)));
  const length = bucketLengthOf(model.edges);
  return model.bars
    .filter(({ index }) => index % step === 0)
    .map(({ x, index }) => ({ x, text: formatEdge(new Date(model.edges[index] ?? 0), length, timeZone, index === 0) }));
}

/** Returns the horizontal position of an instant, or the closest end of the axis for an instant outside of the histogram. */
export function toX({ edges, width }: HistogramModel, at: Date): number {
  const time = at.getTime();
  const index = edges.findLastIndex((edge) => edge <= time);
  if (index < 0) return 0;
  const [start, end] = [edges[index], edges[index + 1]];
  if (start === undefined || end === undefined) return width;
  return ((index + (time - start) / (end - start)) / (edges.length - 1)) * width;
}

/** Returns the part of the axis for a range of times, such as the times of the rows in view. Undefined outside of the axis. */
export function markRange(model: HistogramModel, first: Date, last: Date): Mark | undefined {
  const [start, end] = [model.edges[0], model.edges.at(-1)];
  const [from, to] = first <= last ? [first, last] : [last, first];
  if (start === undefined || end === undefined || to.getTime() < start || from.getTime() > end) return undefined;
  const x = toX(model, from);
  return { x, width: toX(model, to) - x };
}

/** Returns the smallest number that is at least `count` and is 1, 2, 4, 6, 8 or 10 times a power of ten. */
function roundUp(count: number): number {
  const power = 10 ** Math.floor(Math.log10(count));
  const factor = [1, 2, 4, 6, 8, 10].find((candidate) => candidate * power >= count) ?? 10;
  return factor * power;
}

/** Returns the full length of a bucket in milliseconds: the longest one, because the filter can cut the first and the last. */
function bucketLengthOf(edges: readonly number[]): number {
  return edges.reduce((longest, edge, index) => Math.max(longest, index === 0 ? 0 : edge - (edges[index - 1] ?? edge)), 0);
}

function formatEdge(at: Date, length: number, timeZone: string, isFirst: boolean): string {
  if (length >= 28 * DAY_MS) return formatMonth(at, timeZone);
  // A day has 23 or 25 hours when the clock changes.
  if (length > 20 * 60 * 60 * 1_000) return isFirst ? formatDate(at, timeZone) : formatDayOfMonth(at, timeZone);
  const time = formatTimeOfDay(at, timeZone);
  if (isFirst) return `${formatDayOfMonth(at, timeZone)}, ${time}`;
  return time === '00:00' ? formatDayOfMonth(at, timeZone) : time;
}
