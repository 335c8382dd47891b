import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../request-context.js';
import { PublicSignupTokenCreateInput } from './signup-token.args.js';
import { isUsable, type SignupToken, type User } from './signup-token.js';
import type { SignupTokenService } from './signup-token.service.js';
import { PublicSignupTokenObject, UserObject } from './signup-token.type.js';
import { costOfCreation, costOfRead } from './signup-token-cost.js';

const IDEMPOTENCY_KEY =
  'Identifies this request, so that it can be retried: 1 to 255 visible ASCII characters, such as a UUID. Within 24 hours, a request with the same API token, key and input creates nothing more and gets the first response again. The same key with another input is an error (CONFLICT).';

@Resolver()
export class SignupTokenOperations {
  constructor(private readonly tokens: SignupTokenService) {}

  @Query(() => PublicSignupTokenObject, {
    nullable: true,
    description:
      'The public signup token with this secret, or null if there is none. Needs the ADMIN permission for all projects.',
    complexity: costOfRead,
  })
  signupToken(
    @Arg('secret', () => String, { description: 'The actual value of the token.' }) secret: string,
    @Ctx() context: RequestContext,
  ) {
    return this.tokens.find(context, secret);
  }

  @Mutation(() => PublicSignupTokenObject, {
    description:
      'Creates an invite link to share with colleagues. Users who sign up with it get the Viewer role. Needs the ADMIN permission for all projects.',
    complexity: costOfCreation,
  })
  createPublicSignupToken(
    @Arg('input', () => PublicSignupTokenCreateInput, { description: 'The token to create.' })
    input: PublicSignupTokenCreateInput,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    idempotencyKey: string | null | undefined,
    @Ctx() context: RequestContext,
  ) {
    return this.tokens.create(context, input, idempotencyKey ?? null);
  }
}

@Resolver(() => PublicSignupTokenObject)
export class SignupTokenFields {
  @FieldResolver(() => Boolean, { description: 'Whether the token is active. Always false for an expired token.' })
  enabled(@Root() token: SignupToken): boolean {
    return isUsable(token, token.respondedAt ?? new Date());
  }
}

@Resolver(() => UserObject)
export class UserFields {
  @FieldResolver(() => String, { nullable: true, description: 'The type of the account: `User` or `Service Account`.' })
  accountType(@Root() { isService }: User): string {
    return isService ? 'Service Account' : 'User';
  }
}
