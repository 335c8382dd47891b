import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../graphql/context.js';
import { EventsArgs, SearchEventsArgs } from './event.args.js';
import type { EventConnection, EventPage, EventSearch, EventService, FeatureEvents } from './event.service.js';
import {
  EventConnectionObject,
  EventEdgeObject,
  EventObject,
  EventSearchResultObject,
  FeatureEventsObject,
  PageInfoObject,
} from './event.type.js';
import { costOfFeature, costOfSearch } from './event-cost.js';
import { toCursor } from './event-page.js';

@Resolver()
export class EventQueries {
  constructor(private readonly events: EventService) {}

  @Query(() => FeatureEventsObject, {
    description: 'Lists all events related to the named feature flag. When the flag does not exist, the list is empty.',
    complexity: costOfFeature,
  })
  featureEvents(
    @Arg('featureName', () => String, { description: 'The name of the flag, taken exactly.' }) featureName: string,
    @Ctx() { caller }: RequestContext,
  ) {
    return this.events.listFeatureEvents(caller, featureName);
  }

  @Query(() => EventSearchResultObject, {
    name: 'searchEvents',
    description: 'Searches events matching the given criteria, in pages by offset.',
    deprecationReason: 'Use events',
    complexity: costOfSearch,
  })
  searchEvents(@Args(() => SearchEventsArgs) { filter, offset, limit }: SearchEventsArgs, @Ctx() { caller }: RequestContext) {
    return this.events.searchEvents(caller, filter ?? {}, { offset, limit });
  }

  @Query(() => EventConnectionObject, {
    name: 'events',
    description:
      'Searches events matching the given criteria, newest first, in pages by cursor that stay in place while events are added.',
    complexity: costOfSearch,
  })
  connectEvents(@Args(() => EventsArgs) { filter, ...args }: EventsArgs, @Ctx() { caller }: RequestContext) {
    return this.events.connectEvents(caller, filter ?? {}, args);
  }

  @Query(() => EventObject, {
    nullable: true,
    description: 'The event of that id, or null if there is none that the token may see.',
  })
  event(@Arg('id', () => Int, { description: 'The id of the event.' }) id: number, @Ctx() { caller }: RequestContext) {
    return this.events.findEvent(caller, id);
  }
}

@Resolver(() => FeatureEventsObject)
export class FeatureEventsFields {
  @FieldResolver(() => Int, { description: 'API versioning number. Always 1.' })
  version(): number {
    return 1;
  }

  @FieldResolver(() => String, { description: 'The name of the feature flag the events relate to.' })
  toggleName(@Root() { featureName }: FeatureEvents): string {
    return featureName;
  }

  @FieldResolver(() => [EventObject], { description: 'The events, newest first.' })
  events(@Root() list: FeatureEvents) {
    return list.events();
  }

  @FieldResolver(() => Int, { description: 'The count of events of this flag.' })
  totalEvents(@Root() list: FeatureEvents) {
    return list.total();
  }
}

@Resolver(() => EventSearchResultObject)
export class EventSearchResultFields {
  @FieldResolver(() => [EventObject], { description: 'The events of the page, newest first.' })
  events(@Root() list: EventSearch) {
    return list.events();
  }

  @FieldResolver(() => Int, { description: 'The total count of events that match, whatever the page.' })
  total(@Root() list: EventSearch) {
    return list.total();
  }

  @FieldResolver(() => String, {
    description:
      'Opaque. While it is the same, so are the events that match and their total: for clients that ask again and again.',
  })
  version(@Root() list: EventSearch) {
    return list.version();
  }
}

@Resolver(() => EventConnectionObject)
export class EventConnectionFields {
  @FieldResolver(() => [EventEdgeObject], { description: 'The events of the page with their cursors.' })
  async edges(@Root() connection: EventConnection) {
    return (await connection.page()).events.map((node) => ({ cursor: toCursor(node), node }));
  }

  @FieldResolver(() => [EventObject], { description: 'The events of the page.' })
  async nodes(@Root() connection: EventConnection) {
    return (await connection.page()).events;
  }

  @FieldResolver(() => PageInfoObject, {
    description: 'Where the page begins and ends, and whether there is more.',
    // Once, however many events the page has.
    complexity: 0,
  })
  async pageInfo(@Root() connection: EventConnection) {
    return connection.page();
  }

  @FieldResolver(() => Int, { description: 'The total count of events that match, whatever the page.' })
  totalCount(@Root() connection: EventConnection) {
    return connection.total();
  }
}

@Resolver(() => PageInfoObject)
export class PageInfoFields {
  @FieldResolver(() => Boolean, { description: 'Whether older events follow the page.' })
  hasNextPage(@Root() page: EventPage) {
    return page.hasNext();
  }

  @FieldResolver(() => Boolean, { description: 'Whether newer events precede the page.' })
  hasPreviousPage(@Root() page: EventPage) {
    return page.hasPrevious();
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'The cursor of the first event of the page; null for an empty page.',
  })
  startCursor(@Root() { events: [first] }: EventPage) {
    return first ? toCursor(first) : null;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'The cursor of the last event of the page; null for an empty page.',
  })
  endCursor(@Root() { events }: EventPage) {
    const last = events.at(-1);
    return last ? toCursor(last) : null;
  }
}
