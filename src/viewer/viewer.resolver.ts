import { Ctx, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../request-context.js';
import { ViewerObject } from './viewer.type.js';

@Resolver()
export class ViewerQuery {
  @Query(() => ViewerObject, { description: 'The owner of the API token that this request is sent with, and its rights.' })
  viewer(@Ctx() { caller }: RequestContext): ViewerObject {
    const { name, role, projects, expiresAt } = caller;
    return { name, role, projects: typeof projects === 'string' ? null : projects, expiresAt };
  }
}
