import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Info, Query, Resolver } from 'type-graphql';
import { costOfSearch } from '../events/event-cost.js';
import { selectedFields } from '../graphql/selected-fields.js';
import type { RequestContext } from '../request-context.js';
import { EventFeedArgs } from './event-feed.args.js';
import type { EventFeedService } from './event-feed.service.js';
import { EventFeedPageObject } from './event-feed.type.js';

@Resolver()
export class EventFeedQuery {
  constructor(private readonly feed: EventFeedService) {}

  // Without the extension READS_LOG_ONLY: the end of the feed depends on open transactions.
  @Query(() => EventFeedPageObject, {
    name: 'eventFeed',
    description:
      'Returns the events after a cursor, in the order in which they became visible for good, so that a client that reads page after page misses none. `GET /v1/events/feed` streams them.',
    complexity: costOfSearch,
  })
  readPage(
    @Args(() => EventFeedArgs) { filter, after, first }: EventFeedArgs,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.feed.readPage({ filter: filter ?? {}, after, first, selected: selectedFields(info) }, context);
  }
}
