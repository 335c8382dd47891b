import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, Extensions, Info, Int, Query, Resolver } from 'type-graphql';
import { READS_LOG_ONLY } from '../graphql/reads-log-only.js';
import { selectedFields } from '../graphql/selected-fields.js';
import type { RequestContext } from '../request-context.js';
import { EventsArgs, SearchEventsArgs } from './event.args.js';
import type { EventService } from './event.service.js';
import { EventConnectionObject, EventObject, EventSearchResultObject, FeatureEventsObject } from './event.type.js';
import { costOfFeature, costOfSearch } from './event-cost.js';
import { EventExportArgs } from './event-export.args.js';
import { EventExportPageObject } from './event-export.type.js';

@Resolver()
export class EventQueries {
  constructor(private readonly events: EventService) {}

  @Extensions(READS_LOG_ONLY)
  @Query(() => FeatureEventsObject, {
    description:
      'Returns all events of the named feature flag. When the flag does not exist, the list is empty. A list that is too large for one response is an error; `events` has pages.',
    complexity: costOfFeature,
  })
  featureEvents(
    @Arg('featureName', () => String, { description: 'The name of the flag, compared exactly.' }) featureName: string,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.events.listFeatureEvents(context, featureName, selectedFields(info));
  }

  @Extensions(READS_LOG_ONLY)
  @Query(() => EventSearchResultObject, {
    name: 'searchEvents',
    description: 'Searches events matching the given criteria, in pages by offset.',
    deprecationReason: 'Use events',
    complexity: costOfSearch,
  })
  searchEvents(
    @Args(() => SearchEventsArgs) { filter, offset, limit }: SearchEventsArgs,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.events.searchEvents(context, filter ?? {}, { offset, limit }, selectedFields(info));
  }

  @Extensions(READS_LOG_ONLY)
  @Query(() => EventConnectionObject, {
    name: 'events',
    description:
      'Searches events matching the given criteria, newest first, in pages by cursor that stay in place while events are added.',
    complexity: costOfSearch,
  })
  connectEvents(
    @Args(() => EventsArgs) { filter, ...args }: EventsArgs,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.events.connectEvents(context, filter ?? {}, args, selectedFields(info));
  }

  // The field has no `READS_LOG_ONLY` extension, so it is not cached. The same log can give another `upTo` at another time.
  @Query(() => EventExportPageObject, {
    name: 'eventExport',
    description:
      'Reads the events matching the given criteria in the order of their ids, up to an id at or below which only an import or a mirror can still add events. Later events are left out. `GET /v1/events/export` streams all pages.',
    complexity: costOfSearch,
  })
  exportEvents(
    @Args(() => EventExportArgs) { filter, ...args }: EventExportArgs,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.events.exportEvents(context, filter ?? {}, args, selectedFields(info));
  }

  @Extensions(READS_LOG_ONLY)
  @Query(() => EventObject, {
    nullable: true,
    description: 'The event with this id, or null if the token may see no such event.',
  })
  event(
    @Arg('id', () => Int, { description: 'The id of the event.' }) id: number,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.events.findEvent(context, id, selectedFields(info));
  }
}
