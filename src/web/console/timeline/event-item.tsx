import { memo } from 'react';
import type { ConsoleFilter } from '../filter/console-filter.js';
import { Link } from '../navigation/link.js';
import { Sentence } from '../sentences/sentence.js';
import { EventSign } from './event-kind.js';
import { TimeText } from './time-text.js';
import type { EventRow } from './use-event-pages.js';

interface EventItemProps {
  readonly event: EventRow;
  readonly filter: ConsoleFilter;
  readonly isOpen: boolean;
  readonly isNew: boolean;
}

/** One event of the list: a link to its page. */
export const EventItem = memo(function EventItem({ event, filter, isOpen, isNew }: EventItemProps) {
  return (
    <Link
      to={{ page: 'event', id: event.id }}
      filter={filter}
      className="event-row"
      data-event={event.id}
      data-new={isNew || undefined}
      aria-current={isOpen ? 'true' : undefined}
    >
      <span className="event-time">
        <TimeText instant={event.createdAt} form="clock" />
      </span>
      <EventSign typeName={event.typeName} />
      <span className="event-sentence">
        <Sentence event={event} />
      </span>
      <span className="event-labels">
        <code className="type-label">{event.typeName}</code>
        {event.project != null && <span className="project-label">{event.project}</span>}
      </span>
      <span className="event-age muted">
        <TimeText instant={event.createdAt} form="relative" />
      </span>
    </Link>
  );
});

/** A placeholder with the height of an `EventItem`. */
export function EventPlaceholder() {
  return (
    <div className="event-row is-placeholder" aria-hidden>
      <span className="bone" />
      <span className="bone is-round" />
      <span className="bone is-long" />
    </div>
  );
}
