import { Field, ObjectType } from 'type-graphql';
import { EventObject } from '../events/event.type.js';

@ObjectType('EventFeedPage', {
  description:
    'A page of the feed. New events always come after each cursor that the feed has returned, whatever the filter is. An event that is delivered again, after a broken connection, has the same `id`.',
  simpleResolvers: true,
})
export class EventFeedPageObject {
  @Field(() => [EventObject], {
    description:
      'The events of the page, in the order of the feed: usually by `id`, and events that are committed late come last. It is not the order of `createdAt`.',
  })
  events!: readonly EventObject[];

  @Field(() => [String], { description: 'The cursor after each event, in the order of `events`.' })
  cursors!: readonly string[];

  @Field(() => String, {
    description:
      'An opaque cursor: pass it as `after` to continue after this page. It moves also if no event matches, and it does not expire.',
  })
  cursor!: string;

  @Field(() => Boolean, {
    description:
      'Whether the page reaches the end of the log. It is false also while an open transaction may still add earlier events.',
  })
  upToDate!: boolean;
}
