import { ArgsType, Field, Int } from 'type-graphql';
import { EventFilter } from './event.args.js';
import { EXPORT_PAGE, type ExportArgs, MAX_LIMIT } from './event-page.js';

@ArgsType()
export class EventExportArgs implements ExportArgs {
  @Field(() => EventFilter, {
    nullable: true,
    description: 'The events to include. By default, all events that the token can see.',
  })
  filter?: EventFilter | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The id of the event that precedes the page. By default, the page is the first.',
  })
  after?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The `upTo` of the first page. Without it, each page belongs to an export of its own.',
  })
  upTo?: number | null;

  @Field(() => Int, {
    defaultValue: EXPORT_PAGE,
    description: `The most events in the page, from 0 to ${MAX_LIMIT}. A page of more than 4 million characters ends early: the export has ended only when a page is empty.`,
  })
  first!: number;
}
