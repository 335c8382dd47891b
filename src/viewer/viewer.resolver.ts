import { Ctx, FieldResolver, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../request-context.js';
import type { SignupTokenService } from '../signup-tokens/signup-token.service.js';
import { ViewerObject } from './viewer.type.js';

/** The cost of asking the database whether a creation would be refused. */
const COST_OF_REFUSAL_CHECK = 10;

@Resolver()
export class ViewerQuery {
  @Query(() => ViewerObject, { description: 'The owner of the API token that this request is sent with, and its rights.' })
  viewer(@Ctx() { caller }: RequestContext): ViewerObject {
    const { name, role, projects, expiresAt } = caller;
    return { name, role, projects: typeof projects === 'string' ? null : projects, expiresAt };
  }
}

/** Resolves what the viewer can do with public signup tokens on this gateway. */
@Resolver(() => ViewerObject)
export class ViewerInvitations {
  constructor(private readonly tokens: SignupTokenService) {}

  @FieldResolver(() => Boolean, {
    complexity: COST_OF_REFUSAL_CHECK,
    description: 'Whether this token can create public signup tokens on this gateway.',
  })
  async canInvite(@Ctx() context: RequestContext): Promise<boolean> {
    return (await this.tokens.findRefusal(context)) === null;
  }

  @FieldResolver(() => String, {
    complexity: COST_OF_REFUSAL_CHECK,
    nullable: true,
    description: 'Why this token cannot create public signup tokens on this gateway; null if it can.',
  })
  async inviteRefusal(@Ctx() context: RequestContext): Promise<string | null> {
    return (await this.tokens.findRefusal(context))?.message ?? null;
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether `createPublicSignupToken` accepts an `idempotencyKey` on this gateway.',
  })
  acceptsIdempotencyKeys(): boolean {
    return this.tokens.acceptsKeys;
  }
}
