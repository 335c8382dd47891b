import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Info, Query, Resolver, Root, Subscription } from 'type-graphql';
import { costOfSearch, type FieldCost } from '../events/event-cost.js';
import { type SubscriptionResolver, subscribedByInstance } from '../graphql/schema.js';
import { selectedFields } from '../graphql/selected-fields.js';
import type { RequestContext } from '../request-context.js';
import { EventFeedArgs, EventFeedStreamArgs } from './event-feed.args.js';
import { type EventFeedPage, FEED_BATCH } from './event-feed.js';
import type { EventFeedService } from './event-feed.service.js';
import { EventFeedPageObject } from './event-feed.type.js';

@Resolver()
export class EventFeedQuery {
  constructor(private readonly feed: EventFeedService) {}

  // The field has no `READS_LOG_ONLY` extension, so its responses are not cached. The end of the feed also depends on open
  // transactions, not only on the log.
  @Query(() => EventFeedPageObject, {
    name: 'eventFeed',
    description:
      'Returns the events after a cursor. New events always come after each cursor that was returned, so a client that reads page after page misses none. `GET /v1/events/feed` streams them.',
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

/** The cost of the first page of a stream. Each further page is charged when it is read. */
function costOfFirstPage({
  args: { filter = null, batch = FEED_BATCH },
  childComplexity,
}: FieldCost<Partial<EventFeedStreamArgs>>): number {
  return costOfSearch({ args: { filter, first: batch }, childComplexity });
}

@Resolver()
export class EventFeedSubscription implements SubscriptionResolver {
  constructor(private readonly feed: EventFeedService) {}

  @Subscription(() => EventFeedPageObject, {
    name: 'eventFeed',
    description:
      'Streams the events after a cursor, page by page, as they are added. After 15 seconds without a page, an empty page follows. The stream ends after about 15 minutes: subscribe again with the last cursor.',
    complexity: costOfFirstPage,
    subscribe: subscribedByInstance,
  })
  toPage(@Args(() => EventFeedStreamArgs) _: EventFeedStreamArgs, @Root() page: EventFeedPage) {
    return page;
  }

  readonly subscriptions = {
    eventFeed: (
      _: unknown,
      { filter, after, batch }: EventFeedStreamArgs,
      context: RequestContext,
      info: GraphQLResolveInfo,
    ): AsyncIterable<EventFeedPage> =>
      this.feed.follow({ filter: filter ?? {}, after, batch, selected: selectedFields(info) }, context, context.signal),
  };
}
