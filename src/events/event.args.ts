import { GraphQLLocalDate } from 'graphql-scalars';
import { ArgsType, Field, InputType, Int } from 'type-graphql';
import { DateTimeISO } from '../graphql/date-time-iso.js';
import type { EventText } from './event.js';
import { EventTextFieldEnum, EventTypeEnum } from './event.type.js';
import { type EventFilterInput, MAX_LIST_VALUES, MAX_QUERY_CHARACTERS } from './event-filter.js';
import type { ConnectionArgs, OffsetPage } from './event-page.js';
import { DEFAULT_LIMIT, MAX_LIMIT } from './event-page.js';
import type { EventType } from './event-types.js';

@InputType('EventFilter', {
  description:
    'Selects events. Fields are combined with AND, the values of one list with OR. An omitted field includes all events; an empty list is an error, except for `ids`. ' +
    `A list has at most ${MAX_LIST_VALUES} values.`,
})
export class EventFilter implements EventFilterInput {
  @Field(() => String, {
    nullable: true,
    description:
      'Free text: matches a literal part of the JSON text of the parts in `searchIn`, ignoring case. `%`, `_` and `\\` have no special meaning. An empty text includes all events. ' +
      `At most ${MAX_QUERY_CHARACTERS} characters.`,
  })
  query?: string | null;

  @Field(() => [EventTextFieldEnum], {
    nullable: true,
    defaultValue: [EventTextFieldEnum.DATA],
    description: 'The parts of an event that `query` searches. By default only `data`.',
  })
  searchIn?: EventText[] | null;

  @Field(() => [Int], { nullable: true, description: 'Ids of events. An empty list matches nothing.' })
  ids?: number[] | null;

  @Field(() => [String], { nullable: true, description: 'Names of feature flags, exact and case-sensitive.' })
  features?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Ids of projects, exact and case-sensitive.' })
  projects?: string[] | null;

  @Field(() => [EventTypeEnum], {
    nullable: true,
    description: 'Event types. `OTHER` means all types that this API does not list. Types in `typeNames` match too.',
  })
  types?: EventType[] | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Event types as exact strings, such as `feature-created`, including types that `EventType` does not list.',
  })
  typeNames?: string[] | null;

  @Field(() => [Int], { nullable: true, description: 'Ids of the users who created the events.' })
  createdByUserIds?: number[] | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Names of the users who created the events, as in `createdBy`, exact and case-sensitive.',
  })
  createdByNames?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Environments, exact and case-sensitive.' })
  environments?: string[] | null;

  @Field(() => GraphQLLocalDate, { nullable: true, description: 'The first day of the range of creation dates, in UTC.' })
  from?: string | null;

  @Field(() => GraphQLLocalDate, {
    nullable: true,
    description: 'The last day of the range of creation dates, in UTC. A day before `from` matches nothing.',
  })
  to?: string | null;

  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'The first instant of the range of creation times, to the millisecond. Combined with `from` and `to` by AND.',
  })
  since?: Date | null;

  @Field(() => DateTimeISO, {
    nullable: true,
    description:
      'The end of the range of creation times, to the millisecond: events at this instant do not match. An instant before `since` matches nothing.',
  })
  until?: Date | null;
}

const filterDescription = 'The events to include. By default, all events that the token can see.';

@ArgsType()
export class SearchEventsArgs implements OffsetPage {
  @Field(() => EventFilter, { nullable: true, description: filterDescription })
  filter?: EventFilter | null;

  @Field(() => Int, { defaultValue: 0, description: 'The number of events to skip before the page. At least 0.' })
  offset!: number;

  @Field(() => Int, {
    defaultValue: DEFAULT_LIMIT,
    description: `The number of events in a page, from 1 to ${MAX_LIMIT}. A page of more than 12 million characters is an error that says how many events fit.`,
  })
  limit!: number;
}

@ArgsType()
export class EventsArgs implements ConnectionArgs {
  @Field(() => EventFilter, { nullable: true, description: filterDescription })
  filter?: EventFilter | null;

  @Field(() => Int, {
    nullable: true,
    description: `The number of events in the page, starting with the newest, or after the event of \`after\`. 0 to ${MAX_LIMIT}; ${DEFAULT_LIMIT} if neither \`first\` nor \`last\` is given. A page of more than 4 million characters ends early, and has a next page.`,
  })
  first?: number | null;

  @Field(() => String, { nullable: true, description: 'The cursor of the event that precedes the page.' })
  after?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: `The number of events in the page, ending with the oldest, or before the event of \`before\`. 0 to ${MAX_LIMIT}. Cannot be combined with \`first\`.`,
  })
  last?: number | null;

  @Field(() => String, { nullable: true, description: 'The cursor of the event that follows the page.' })
  before?: string | null;
}
