import { Field, Int, ObjectType } from 'type-graphql';
import { EventObject } from './event.type.js';

@ObjectType('EventExportPage', {
  description: 'A page of the events that match, in the order of their ids.',
  simpleResolvers: true,
})
export class EventExportPageObject {
  @Field(() => [EventObject], {
    description: 'The events of the page, lowest id first. An empty page is the end of the export.',
  })
  events!: readonly EventObject[];

  @Field(() => Int, {
    description:
      'The highest id that the export can include. Only an import or a mirror can still add events at or below it. It equals the argument `upTo`, if that is given.',
  })
  upTo!: number;

  @Field(() => String, {
    nullable: true,
    description:
      'The cursor with which `eventFeed` continues after the last page of the export. Null if `upTo` is given, because events may have been added below it since then.',
  })
  feedCursor!: string | null;

  @Field(() => Int, { description: 'The number of events that match above `after` and up to `upTo`, on this page and after it.' })
  count!: number;
}
