import { ArgsType, Field, Int } from 'type-graphql';
import { EventFilter } from '../events/event.args.js';
import {
  type CountInterval,
  type CountsRequest,
  DEFAULT_TIME_ZONE,
  DEFAULT_TOP,
  type EventDimension,
  MAX_BUCKETS,
  MAX_CELLS,
  MAX_TOP,
} from './event-counts.js';
import { CountIntervalEnum, EventDimensionEnum } from './event-counts.type.js';

@ArgsType()
export class EventCountsArgs implements Partial<CountsRequest> {
  @Field(() => EventFilter, {
    nullable: true,
    description: 'The events to count. By default, all events that the token can see.',
  })
  filter?: EventFilter | null;

  @Field(() => EventDimensionEnum, {
    nullable: true,
    description: 'Counts in groups: the events with each value of this property.',
  })
  by?: EventDimension | null;

  @Field(() => CountIntervalEnum, {
    nullable: true,
    description: `Counts in buckets of this length. At most ${MAX_BUCKETS} buckets, and at most ${MAX_CELLS.toLocaleString('en')} buckets times \`top\`.`,
  })
  interval?: CountInterval | null;

  @Field(() => String, {
    defaultValue: DEFAULT_TIME_ZONE,
    description: 'The time zone of the buckets: a name of the IANA database, such as `Europe/Berlin`.',
  })
  timeZone!: string;

  @Field(() => Int, { defaultValue: DEFAULT_TOP, description: `The number of groups to list, from 1 to ${MAX_TOP}.` })
  top!: number;
}
