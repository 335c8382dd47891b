import { ArgsType, Field, Int } from 'type-graphql';
import { EventFilter } from '../events/event.args.js';
import { MAX_LIMIT } from '../events/event-page.js';
import { FEED_BATCH, FEED_PAGE } from './event-feed.js';

/** Selects the events that a reader of the feed gets, and the position at which the reader begins. */
@ArgsType()
class FeedSelection {
  @Field(() => EventFilter, {
    nullable: true,
    description: 'The events to include. By default, all events that the token can see.',
  })
  filter?: EventFilter | null;

  @Field(() => String, {
    description:
      'The cursor after which the page begins; `start` for the first page, `now` for events to come, or an RFC 3339 date-time for the events since then.',
  })
  after!: string;
}

@ArgsType()
export class EventFeedArgs extends FeedSelection {
  @Field(() => Int, { defaultValue: FEED_PAGE, description: `The most events in the page, from 1 to ${MAX_LIMIT}.` })
  first!: number;
}

@ArgsType()
export class EventFeedStreamArgs extends FeedSelection {
  @Field(() => Int, { defaultValue: FEED_BATCH, description: `The most events in a page, from 1 to ${MAX_LIMIT}.` })
  batch!: number;
}
