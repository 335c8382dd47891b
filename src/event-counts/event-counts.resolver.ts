import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Extensions, Info, Query, Resolver } from 'type-graphql';
import { costOfCounts } from '../events/event-cost.js';
import { READS_LOG_ONLY } from '../graphql/reads-log-only.js';
import { selectedFields } from '../graphql/selected-fields.js';
import type { RequestContext } from '../request-context.js';
import { EventCountsArgs } from './event-counts.args.js';
import type { EventCountsService } from './event-counts.service.js';
import { EventCountsObject } from './event-counts.type.js';

@Resolver()
export class EventCountsQuery {
  constructor(private readonly eventCounts: EventCountsService) {}

  @Extensions(READS_LOG_ONLY)
  @Query(() => EventCountsObject, {
    name: 'eventCounts',
    description: 'Counts the events that match the given criteria: all of them, by time, and by the values of one property.',
    complexity: costOfCounts,
  })
  countEvents(
    @Args(() => EventCountsArgs) { filter, by = null, interval = null, timeZone, top }: EventCountsArgs,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.eventCounts.countEvents(context, filter ?? {}, { by, interval, timeZone, top }, selectedFields(info));
  }
}
