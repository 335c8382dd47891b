import { EventQueries } from './events/event.resolver.js';

// `event.resolver.js` must be imported first: TypeGraphQL lists root fields in the order in which their resolvers are loaded.

import type { GraphQLSchema } from 'graphql';
import { EventCountsQuery } from './event-counts/event-counts.resolver.js';
import type { EventCountsService } from './event-counts/event-counts.service.js';
import { EventFeedQuery, EventFeedSubscription } from './event-feed/event-feed.resolver.js';
import type { EventFeedService } from './event-feed/event-feed.service.js';
import type { EventService } from './events/event.service.js';
import { createSchema } from './graphql/schema.js';
import { SignupTokenFields, SignupTokenOperations, UserFields } from './signup-tokens/signup-token.resolver.js';
import type { SignupTokenService } from './signup-tokens/signup-token.service.js';
import { ViewerInvitations, ViewerQuery } from './viewer/viewer.resolver.js';

/** The services that the resolvers of the schema call. */
export interface Services {
  readonly events: EventService;
  readonly eventCounts: EventCountsService;
  readonly eventFeed: EventFeedService;
  readonly signupTokens: SignupTokenService;
}

export function createGatewaySchema({ events, eventCounts, eventFeed, signupTokens }: Services): GraphQLSchema {
  return createSchema(
    [
      new EventQueries(events),
      new EventCountsQuery(eventCounts),
      new EventFeedQuery(eventFeed),
      new EventFeedSubscription(eventFeed),
      new SignupTokenOperations(signupTokens),
      new ViewerInvitations(signupTokens),
    ],
    [SignupTokenFields, UserFields, ViewerQuery],
  );
}
