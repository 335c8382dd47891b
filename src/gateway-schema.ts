import type { GraphQLSchema } from 'graphql';
import { EventQueries } from './events/event.resolver.js';
import type { EventService } from './events/event.service.js';
import { createSchema } from './graphql/schema.js';
import { SignupTokenFields, SignupTokenOperations, UserFields } from './signup-tokens/signup-token.resolver.js';
import type { SignupTokenService } from './signup-tokens/signup-token.service.js';
import { ViewerQuery } from './viewer/viewer.resolver.js';

/** Builds the GraphQL schema on the two services. */
export function createGatewaySchema(events: EventService, signupTokens: SignupTokenService): GraphQLSchema {
  return createSchema(
    [new EventQueries(events), new SignupTokenOperations(signupTokens)],
    [SignupTokenFields, UserFields, ViewerQuery],
  );
}
