import { useQuery } from '@tanstack/react-query';
import { ConsoleFirstAndLastDocument, type EventFilter } from '../../../generated/console/graphql.js';
import { runDocument } from '../api/gateway-client.js';
import type { ConsoleFilter } from '../filter/console-filter.js';
import { Link } from '../navigation/link.js';
import { Sentence } from '../sentences/sentence.js';
import { useSession } from '../session/session.js';
import { TimeText } from '../timeline/time-text.js';
import type { EventRow } from '../timeline/use-event-pages.js';

interface FirstAndLastProps {
  readonly variables: EventFilter;
  readonly filter: ConsoleFilter;
}

/** The newest and the oldest event of a filter. */
export function FirstAndLast({ variables, filter }: FirstAndLastProps) {
  const { token } = useSession();
  const { data } = useQuery({
    queryKey: ['first and last', variables],
    queryFn: ({ signal }) => runDocument(ConsoleFirstAndLastDocument, { filter: variables }, { token, signal }),
  });
  return (
    <dl className="first-and-last">
      <Edge name="Newest event" event={data?.newest.nodes[0]} filter={filter} />
      <Edge name="Oldest event" event={data?.oldest.nodes[0]} filter={filter} />
    </dl>
  );
}

function Edge({
  name,
  event,
  filter,
}: {
  readonly name: string;
  readonly event: EventRow | undefined;
  readonly filter: ConsoleFilter;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {event && (
          <>
            <TimeText instant={event.createdAt} form="full" />{' '}
            <span className="muted">
              (<TimeText instant={event.createdAt} form="relative" />)
            </span>
            <br />
            <Link to={{ page: 'event', id: event.id }} filter={filter}>
              <Sentence event={event} />
            </Link>
          </>
        )}
      </dd>
    </div>
  );
}
