import 'reflect-metadata';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTimeISO } from '../graphql/date-time-iso.js';
import { type CountInterval, type EventDimension, MAX_AUTO_BUCKETS } from './event-counts.js';

export const EventDimensionEnum = {
  TYPE: 'TYPE',
  PROJECT: 'PROJECT',
  FEATURE: 'FEATURE',
  ENVIRONMENT: 'ENVIRONMENT',
  CREATED_BY: 'CREATED_BY',
} as const satisfies { [Name in EventDimension]: Name };

registerEnumType(EventDimensionEnum, {
  name: 'EventDimension',
  description: 'The property of events by which `eventCounts` groups them.',
  valuesConfig: {
    TYPE: { description: 'The type, such as `feature-created`.' },
    PROJECT: { description: 'The id of the project.' },
    FEATURE: { description: 'The name of the feature flag.' },
    ENVIRONMENT: { description: 'The environment.' },
    CREATED_BY: { description: 'The name of the user who created the event.' },
  },
});

export const CountIntervalEnum = {
  AUTO: 'AUTO',
  MINUTE: 'MINUTE',
  HOUR: 'HOUR',
  DAY: 'DAY',
  WEEK: 'WEEK',
  MONTH: 'MONTH',
} as const satisfies { [Name in CountInterval]: Name };

registerEnumType(CountIntervalEnum, {
  name: 'CountInterval',
  description: 'The length of a bucket, on the clock and the calendar of the time zone.',
  valuesConfig: {
    AUTO: {
      description: `The shortest interval that gives at most ${MAX_AUTO_BUCKETS} buckets. If months give more, quarters, years or decades.`,
    },
    MINUTE: { description: 'A minute.' },
    HOUR: { description: 'An hour.' },
    DAY: { description: 'A day, which has 23 or 25 hours when the clock changes.' },
    WEEK: { description: 'A week, from Monday.' },
    MONTH: { description: 'A month.' },
  },
});

@ObjectType('CountBucket', { description: 'A span of time and the number of its events.', simpleResolvers: true })
export class CountBucketObject {
  @Field(() => DateTimeISO, {
    description:
      'The first instant of the bucket. The first bucket begins where the range of the filter does, if it has a beginning.',
  })
  start!: Date;

  @Field(() => DateTimeISO, {
    description: 'The first instant after the bucket. The last bucket ends where the range of the filter does, if it has an end.',
  })
  end!: Date;

  @Field(() => Int, { description: 'The number of events.' })
  count!: number;
}

@ObjectType('CountGroup', { description: 'The events with one value of the dimension.', simpleResolvers: true })
export class CountGroupObject {
  @Field(() => String, { nullable: true, description: 'The value, or null for the events without one.' })
  key!: string | null;

  @Field(() => Int, { description: 'The number of events.' })
  count!: number;

  @Field(() => [Int], { description: 'The number of events in each bucket, in the order of `buckets`.' })
  counts!: readonly number[];
}

@ObjectType('EventCounts', {
  description: 'Numbers of the events that match, all at one moment. `total` is the sum of the groups and `other`.',
  simpleResolvers: true,
})
export class EventCountsObject {
  @Field(() => Int, {
    description: 'The number of all events that match: also the sum of the buckets, if an interval was given.',
  })
  total!: number;

  @Field(() => CountIntervalEnum, {
    nullable: true,
    description:
      'The length of the buckets; null without buckets. It is `MONTH` also for the quarters, years or decades of `AUTO`.',
  })
  interval!: CountInterval | null;

  @Field(() => [CountBucketObject], {
    description:
      'The buckets from the oldest to the newest, without gaps. They cover the range of the filter. Where it is open, they reach to the first or the last matching event.',
  })
  buckets!: readonly CountBucketObject[];

  @Field(() => [CountGroupObject], {
    description: 'The largest groups, the largest first. Groups of equal size are ordered by `key`.',
  })
  groups!: readonly CountGroupObject[];

  @Field(() => Int, { description: 'The number of events in no listed group.' })
  other!: number;

  @Field(() => Int, { description: 'The number of all groups, listed or not; 0 without a dimension.' })
  distinct!: number;

  @Field(() => String, {
    description:
      'An opaque text for clients that poll. While it is the same, the events that match and their numbers are the same.',
  })
  version!: string;
}
