import { ChevronDown, ChevronUp, Link2, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { EventFilter } from '../../../generated/console/graphql.js';
import { toFailure } from '../api/gateway-failure.js';
import { useEvent, useNeighbors } from '../api/queries.js';
import type { ConsoleFilter } from '../filter/console-filter.js';
import { handlesKeys } from '../navigation/handles-keys.js';
import { Link } from '../navigation/link.js';
import { go } from '../navigation/use-page.js';
import { FailureNotice } from '../states/failure-notice.js';
import { CopyButton } from './copy-button.js';
import { EventDetail } from './event-detail.js';

interface EventPanelProps {
  readonly id: number;
  readonly filter: ConsoleFilter;
  /** The filter of the list, in the form of the API. The links to the next newer and older event follow this filter. */
  readonly variables: EventFilter;
}

/** One event beside the list. On a phone, the panel fills the screen. */
export function EventPanel({ id, filter, variables }: EventPanelProps) {
  const query = useEvent(id);
  const close = () => {
    go({ page: 'timeline' }, filter);
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-event="${id}"]`)?.focus({ preventScroll: true }));
  };
  useEscape(close);
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the heading takes the focus each time another event opens
  useEffect(() => heading.current?.focus({ preventScroll: true }), [id]);

  const event = query.data?.event;
  return (
    <aside className="event-panel" aria-label={`Event ${id}`}>
      <div className="panel-bar">
        <h2 ref={heading} tabIndex={-1}>
          Event {id}
        </h2>
        <Neighbors cursor={query.data?.events.edges[0]?.cursor} filter={filter} variables={variables} />
        <CopyButton text={() => location.href} label="Copy link" sign={<Link2 aria-hidden size={16} />} />
        <button type="button" className="button is-quiet is-square" onClick={close} aria-label="Close" title="Close (Esc)">
          <X aria-hidden size={18} />
        </button>
      </div>
      {query.isError && <FailureNotice failure={toFailure(query.error)} what="The event" onRetry={() => void query.refetch()} />}
      {query.isSuccess && !event && <NoSuchEvent id={id} />}
      {event && <EventDetail key={id} event={event} filter={filter} />}
    </aside>
  );
}

function NoSuchEvent({ id }: { readonly id: number }) {
  return (
    <div className="notice">
      <p>There is no event {id} in the log, or this token is not allowed to see it.</p>
    </div>
  );
}

interface NeighborsProps extends Omit<EventPanelProps, 'id'> {
  readonly cursor: string | undefined;
}

/** Links to the next newer and the next older event that match the filter. */
function Neighbors({ cursor, filter, variables }: NeighborsProps) {
  const { data } = useNeighbors(variables, cursor);
  return (
    <>
      <Neighbor id={data?.newer.nodes[0]?.id} filter={filter} label="Newer event" sign={<ChevronUp aria-hidden size={18} />} />
      <Neighbor id={data?.older.nodes[0]?.id} filter={filter} label="Older event" sign={<ChevronDown aria-hidden size={18} />} />
    </>
  );
}

interface NeighborProps {
  readonly id: number | undefined;
  readonly filter: ConsoleFilter;
  readonly label: string;
  readonly sign: ReactNode;
}

function Neighbor({ id, filter, label, sign }: NeighborProps) {
  if (id === undefined) {
    return (
      <button type="button" className="button is-quiet is-square" disabled aria-label={label}>
        {sign}
      </button>
    );
  }
  return (
    <Link to={{ page: 'event', id }} filter={filter} className="button is-quiet is-square" aria-label={label} title={label}>
      {sign}
    </Link>
  );
}

function useEscape(onEscape: () => void): void {
  const latest = useRef(onEscape);
  latest.current = onEscape;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !handlesKeys(event.target)) latest.current();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
