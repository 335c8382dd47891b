import { GraphQLLocalDate } from 'graphql-scalars';
import { ArgsType, Field, InputType, Int } from 'type-graphql';
import type { EventText } from './event.js';
import { EventTextFieldEnum, EventTypeEnum } from './event.type.js';
import type { EventFilterInput } from './event-filter.js';
import type { ConnectionArgs, OffsetPage } from './event-page.js';
import { DEFAULT_LIMIT, MAX_LIMIT } from './event-page.js';
import type { EventType } from './event-types.js';

@InputType('EventFilter', {
  description:
    'Which events are meant. Fields are joined by AND, the values of one list by OR. A field left out includes all; an empty list is an error.',
})
export class EventFilter implements EventFilterInput {
  @Field(() => String, {
    nullable: true,
    description:
      'Free text, matched without regard to case as a literal part of the JSON text of what `searchIn` names: `%`, `_` and `\\` have no special meaning. An empty text includes all.',
  })
  query?: string | null;

  @Field(() => [EventTextFieldEnum], {
    nullable: true,
    defaultValue: [EventTextFieldEnum.DATA],
    description: 'Where `query` is looked for. By default in the event `data` payload alone.',
  })
  searchIn?: EventText[] | null;

  @Field(() => [String], { nullable: true, description: 'Names of feature flags, exact and case-sensitive.' })
  features?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Ids of projects, exact and case-sensitive.' })
  projects?: string[] | null;

  @Field(() => [EventTypeEnum], {
    nullable: true,
    description: 'Event types; `OTHER` means every type this API does not list. Together with `typeNames`: those of either.',
  })
  types?: EventType[] | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Event types as on the wire, such as `feature-created`, listed here or not.',
  })
  typeNames?: string[] | null;

  @Field(() => [Int], { nullable: true, description: 'Ids of the users that created the events.' })
  createdByUserIds?: number[] | null;

  @Field(() => [String], { nullable: true, description: 'Environments, exact and case-sensitive.' })
  environments?: string[] | null;

  @Field(() => GraphQLLocalDate, { nullable: true, description: 'The first day of the creation date range, in UTC.' })
  from?: string | null;

  @Field(() => GraphQLLocalDate, {
    nullable: true,
    description: 'The last day of the creation date range, in UTC. A day before `from` matches nothing.',
  })
  to?: string | null;
}

const filterDescription = 'Which events to include. All that the token may see, by default.';

@ArgsType()
export class SearchEventsArgs implements OffsetPage {
  @Field(() => EventFilter, { nullable: true, description: filterDescription })
  filter?: EventFilter | null;

  @Field(() => Int, { defaultValue: 0, description: 'The number of events to skip when returning a page. At least 0.' })
  offset!: number;

  @Field(() => Int, { defaultValue: DEFAULT_LIMIT, description: `The number of events in a page. 1 to ${MAX_LIMIT}.` })
  limit!: number;
}

@ArgsType()
export class EventsArgs implements ConnectionArgs {
  @Field(() => EventFilter, { nullable: true, description: filterDescription })
  filter?: EventFilter | null;

  @Field(() => Int, {
    nullable: true,
    description: `The number of events from the newest on, or from \`after\` on. At most ${MAX_LIMIT}; ${DEFAULT_LIMIT} if neither \`first\` nor \`last\` is given.`,
  })
  first?: number | null;

  @Field(() => String, { nullable: true, description: 'The cursor of the event that the page follows.' })
  after?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: `The number of events up to the oldest, or up to \`before\`. At most ${MAX_LIMIT}. Not together with \`first\`.`,
  })
  last?: number | null;

  @Field(() => String, { nullable: true, description: 'The cursor of the event that the page comes before.' })
  before?: string | null;
}
