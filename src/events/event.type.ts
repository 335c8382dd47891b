import 'reflect-metadata';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTimeISO } from '../graphql/date-time-iso.js';
import { GraphQLJson } from '../graphql/json.js';
import type { JsonText } from '../formats/json-text.js';
import type { EventText, Tag } from './event.js';
import { EVENT_TYPES, type EventType, OTHER, toGraphqlName } from './event-types.js';

const eventTypes = [...EVENT_TYPES, OTHER] as const;

/** GraphQL names to wire strings; OTHER to itself. */
export const EventTypeEnum = Object.fromEntries(eventTypes.map((type) => [toGraphqlName(type), type]));

registerEnumType(EventTypeEnum, {
  name: 'EventType',
  description:
    'What an event records. Each value is the type on the wire in upper snake case: `feature-created` is `FEATURE_CREATED`. ' +
    '`Event.typeName` always has the exact string.',
  valuesConfig: Object.fromEntries(
    eventTypes.map((type) => [
      toGraphqlName(type),
      { description: type === OTHER ? 'A type that this API does not list; `typeName` tells which.' : `\`${type}\`` },
    ]),
  ),
});

export const EventTextFieldEnum = { DATA: 'data', PRE_DATA: 'preData', TAGS: 'tags' } as const satisfies Record<
  string,
  EventText
>;

registerEnumType(EventTextFieldEnum, {
  name: 'EventTextField',
  description: 'The parts of an event in which `query` is looked for.',
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
  @Field(() => Int, { description: 'An increasing natural number.' })
  id!: number;

  @Field(() => DateTimeISO, { description: 'The time the event happened, in UTC.' })
  createdAt!: string;

  @Field(() => EventTypeEnum, { description: 'What the event records.' })
  type!: EventType;

  @Field(() => String, { description: 'The exact event type, also where `type` is `OTHER`.' })
  typeName!: string;

  @Field(() => String, { description: 'Which user created the event.' })
  createdBy!: string;

  @Field(() => Int, { nullable: true, description: 'The id of the user that created the event.' })
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

  @Field(() => [TagType], { description: 'Tags related to the event; empty if there are none.' })
  tags!: readonly Tag[];

  @Field(() => GraphQLJson, { description: 'The tags as stored, with what newer servers add to them, such as a color.' })
  storedTags!: JsonText;
}

@ObjectType('FeatureEvents', { description: 'All events of one feature flag.' })
export class FeatureEventsObject {}

@ObjectType('EventSearchResult', { description: 'One page of the events that match, and how many match in all.' })
export class EventSearchResultObject {}

@ObjectType('EventEdge', { description: 'An event and its place in the connection.', simpleResolvers: true })
export class EventEdgeObject {
  @Field(() => String, { description: 'Opaque. Give it as `after` or `before` to continue from this event.' })
  cursor!: string;

  @Field(() => EventObject, { description: 'The event.' })
  node!: EventObject;
}

@ObjectType('PageInfo', { description: 'Where a page of a connection begins and ends, and whether there is more.' })
export class PageInfoObject {}

@ObjectType('EventConnection', {
  description: 'A page of events, newest first, after the Relay cursor connections specification.',
})
export class EventConnectionObject {}
