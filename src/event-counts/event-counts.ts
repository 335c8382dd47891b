import type { Problems } from '../errors.js';
import { isTimeZone, TIME_ZONE_RULE } from './time-zone.js';

/** A property of events. Events with the same value of this property are counted as one group. */
export type EventDimension = (typeof EVENT_DIMENSIONS)[number];
export const EVENT_DIMENSIONS = ['TYPE', 'PROJECT', 'FEATURE', 'ENVIRONMENT', 'CREATED_BY'] as const;

/** The length of a bucket on the clock and the calendar of a time zone. `AUTO` chooses a length that suits the range. */
export type CountInterval = (typeof COUNT_INTERVALS)[number];
export const COUNT_INTERVALS = ['AUTO', 'MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH'] as const;

export const DEFAULT_TIME_ZONE = 'UTC';

/** The default and the maximum of `top`, the number of groups to list. */
export const DEFAULT_TOP = 10;
export const MAX_TOP = 50;

/** The limits of buckets, of buckets with `AUTO`, and of buckets times groups. They keep charts readable and responses small. */
export const MAX_BUCKETS = 500;
export const MAX_AUTO_BUCKETS = 60;
export const MAX_CELLS = 10_000;

/** The groups and buckets to count besides the total. */
export interface CountsRequest {
  readonly by: EventDimension | null;
  readonly interval: CountInterval | null;
  readonly timeZone: string;
  /** The number of groups to list. */
  readonly top: number;
}

/** Adds each rule that a request breaks to `problems`. */
export function checkCountsRequest({ timeZone, top }: CountsRequest, problems: Problems): void {
  if (!isTimeZone(timeZone)) problems.add('timeZone', TIME_ZONE_RULE);
  if (!(top >= 1 && top <= MAX_TOP)) problems.add('top', `must be a whole number from 1 to ${MAX_TOP}`);
}

export interface CountBucket {
  readonly start: Date;
  /** The first instant after the bucket. */
  readonly end: Date;
  readonly count: number;
}

export interface CountGroup {
  readonly key: string | null;
  readonly count: number;
  /** The number of the group's events in each bucket. */
  readonly counts: readonly number[];
}

/**
 * The numbers of matching events at one moment. `total` equals the sum of the groups and `other`. If there are buckets, `total`
 * also equals the sum of the buckets.
 */
export interface EventCounts {
  readonly total: number;
  readonly interval: Exclude<CountInterval, 'AUTO'> | null;
  readonly buckets: readonly CountBucket[];
  readonly groups: readonly CountGroup[];
  readonly other: number;
  /** The number of all groups, listed or not; 0 without a dimension. */
  readonly distinct: number;
}
