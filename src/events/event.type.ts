import 'reflect-metadata';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { JsonText } from '../formats/json-text.js';
import { DateTimeISO } from '../graphql/date-time-iso.js';
import { GraphQLJson } from '../graphql/json.js';
import type { EventChanges } from './changes/change-list.js';
import { EventChangesObject } from './changes/changes.type.js';
import type { EventText } from './event.js';
import { COST_OF_CHANGES } from './event-cost.js';
import { EVENT_TYPES, type EventType, OTHER, toGraphqlName } from './event-types.js';
import type { Tag } from './tags.js';

const eventTypes = [...EVENT_TYPES, OTHER] as const;

/** Maps GraphQL names to wire strings. `OTHER` maps to itself. */
export const EventTypeEnum = Object.fromEntries(eventTypes.map((type) => [toGraphqlName(type), type]));

registerEnumType(EventTypeEnum, {
  name: 'EventType',
  description:
    'The type of an event. Each value is the type on the wire in upper snake case: `feature-created` is `FEATURE_CREATED`. ' +
    '`Event.typeName` always has the exact string.',
  valuesConfig: Object.fromEntries(
    eventTypes.map((type) => [
      toGraphqlName(type),
      { description: type === OTHER ? 'A type that this API does not list. `typeName` has its exact string.' : `\`${type}\`` },
    ]),
  ),
});

export const EventTextFieldEnum = { DATA: 'data', PRE_DATA: 'preData', TAGS: 'tags' } as const satisfies Record<
  string,
  EventText
>;

registerEnumType(EventTextFieldEnum, {
  name: 'EventTextField',
  description: 'The parts of an event that `query` searches.',
  valuesConfig: {
    DATA: { description: 'The JSON text of `data`.' },
    PRE_DATA: { description: 'The JSON text of `preData`.' },
    TAGS: { description: 'The JSON text of `tags`.' },
  },
});

@ObjectType('Tag', { description: 'A tag of an event.', simpleResolvers: true })
export class TagType {
  @Field(() => String, { description: 'The tag type. 2 to 50 characters.' })
  type!: string;

  @Field(() => String, { description: 'The value of the tag. 2 to 50 characters.' })
  value!: string;
}

@ObjectType('Event', {
  description:
    'A change or occurrence in the system, such as the creation of a flag, a change to a project, or a change request.',
  simpleResolvers: true,
})
export class EventObject {
  @Field(() => Int, { description: 'The id of the event: an increasing natural number.' })
  id!: number;

  @Field(() => DateTimeISO, { description: 'When the event happened, in UTC.' })
  createdAt!: string;

  @Field(() => EventTypeEnum, { description: 'The type of the event.' })
  type!: EventType;

  @Field(() => String, { description: 'The exact type of the event, also if `type` is `OTHER`.' })
  typeName!: string;

  @Field(() => String, { description: 'The user who created the event.' })
  createdBy!: string;

  @Field(() => Int, { nullable: true, description: 'The id of the user who created the event.' })
  createdByUserId!: number | null;

  @Field(() => String, { nullable: true, description: 'The environment the event relates to, if applicable.' })
  environment!: string | null;

  @Field(() => String, { nullable: true, description: 'The project the event relates to, if applicable.' })
  project!: string | null;

  @Field(() => String, { nullable: true, description: 'The feature flag the event relates to, if applicable.' })
  featureName!: string | null;

  @Field(() => GraphQLJson, {
    nullable: true,
    description: 'Extra data about the event, such as flag state or segment configuration. As stored: usually an object.',
  })
  data!: JsonText | null;

  @Field(() => GraphQLJson, { nullable: true, description: "Data describing the previous state of the event's subject." })
  preData!: JsonText | null;

  @Field(() => EventChangesObject, {
    nullable: true,
    description: 'What changed from `preData` to `data`; null if the event lacks one of them.',
    complexity: COST_OF_CHANGES,
  })
  changes!: EventChanges | null;

  @Field(() => [TagType], { description: 'The tags of the event; an empty list if there are none.' })
  tags!: readonly Tag[];

  @Field(() => GraphQLJson, { description: 'The tags as stored, with fields that newer Unleash versions add, such as a color.' })
  storedTags!: JsonText;
}

@ObjectType('FeatureEvents', { description: 'All events of one feature flag.', simpleResolvers: true })
export class FeatureEventsObject {
  @Field(() => Int, { description: 'The version of this format: always 1.' })
  version!: number;

  @Field(() => String, { description: 'The name of the feature flag the events relate to.' })
  toggleName!: string;

  @Field(() => [EventObject], { description: 'The events, newest first.' })
  events!: readonly EventObject[];

  @Field(() => Int, { description: 'The number of events of this flag.' })
  totalEvents!: number;
}

@ObjectType('EventSearchResult', {
  description: 'One page of the events that match, and the number of all events that match.',
  simpleResolvers: true,
})
export class EventSearchResultObject {
  @Field(() => [EventObject], { description: 'The events of the page, newest first.' })
  events!: readonly EventObject[];

  @Field(() => Int, { description: 'The number of all events that match, on this page and on others.' })
  total!: number;

  @Field(() => String, {
    description:
      'An opaque text for clients that poll. While it is the same, the events that match and their total are the same.',
  })
  version!: string;
}

@ObjectType('EventEdge', { description: 'An event and its place in the connection.', simpleResolvers: true })
export class EventEdgeObject {
  @Field(() => String, { description: 'An opaque cursor. Pass it as `after` or `before` to continue from this event.' })
  cursor!: string;

  @Field(() => EventObject, { description: 'The event.' })
  node!: EventObject;
}

@ObjectType('PageInfo', {
  description: 'The first and last cursor of a page, and whether more events precede or follow it.',
  simpleResolvers: true,
})
export class PageInfoObject {
  @Field(() => Boolean, { description: 'Whether older events follow the page.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Whether newer events precede the page.' })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: 'The cursor of the first event of the page; null for an empty page.' })
  startCursor!: string | null;

  @Field(() => String, { nullable: true, description: 'The cursor of the last event of the page; null for an empty page.' })
  endCursor!: string | null;
}

@ObjectType('EventConnection', {
  description: 'A page of events, newest first, as in the Relay cursor connections specification.',
  simpleResolvers: true,
})
export class EventConnectionObject {
  @Field(() => [EventEdgeObject], { description: 'The events of the page with their cursors.' })
  edges!: readonly EventEdgeObject[];

  @Field(() => [EventObject], { description: 'The events of the page.' })
  nodes!: readonly EventObject[];

  @Field(() => PageInfoObject, {
    description: 'The first and last cursor of the page, and whether more events precede or follow it.',
    // Costs nothing: the cost of a selection is multiplied by the page size, but a page has one `pageInfo`.
    complexity: 0,
  })
  pageInfo!: PageInfoObject;

  @Field(() => Int, { description: 'The number of all events that match, on this page and on others.' })
  totalCount!: number;
}
