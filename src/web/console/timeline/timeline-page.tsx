import { useQuery } from '@tanstack/react-query';
import { histogramQuery } from '../api/queries.js';
import { EventPanel } from '../event/event-panel.js';
import { usePage } from '../navigation/use-page.js';
import { useZone } from '../preferences/time-zone.js';
import { useSession } from '../session/session.js';
import { FailureNotice } from '../states/failure-notice.js';
import { useDelayed } from '../states/use-delayed.js';
import { EventPlaceholder } from './event-item.js';
import { EventList } from './event-list.js';
import { FilterBar } from './filter-bar.js';
import { NoEvents } from './no-events.js';
import { NARROW } from './use-list-heights.js';
import { useMediaQuery } from './use-media-query.js';
import { type Timeline, useTimeline } from './use-timeline.js';

const NO_IDS: ReadonlySet<number> = new Set();

/** The list of events under its filter, and beside it the open event. */
export function TimelinePage({ openId }: { readonly openId: number | null }) {
  const { filter } = usePage();
  const timeline = useTimeline(filter);
  const isNarrow = useMediaQuery(NARROW);
  const isCovered = isNarrow && openId !== null;
  const { total, isExact } = useShownTotal(timeline);
  return (
    <div className="timeline" data-open={openId !== null || undefined}>
      <main className="timeline-main" inert={isCovered}>
        <h1 className="visually-hidden">Events</h1>
        <FilterBar filter={filter} variables={timeline.shown?.variables ?? {}} />
        <p className="total" role="status">
          {total === null ? ' ' : `${total.toLocaleString('en')} ${total === 1 ? 'event' : 'events'}`}
        </p>
        <TimelineBody timeline={timeline} openId={openId} total={isExact ? total : null} />
      </main>
      {openId !== null && <EventPanel id={openId} filter={filter} variables={timeline.shown?.variables ?? {}} />}
    </div>
  );
}

interface TimelineBodyProps {
  readonly timeline: Timeline;
  readonly openId: number | null;
  readonly total: number | null;
}

function TimelineBody({ timeline, openId, total }: TimelineBodyProps) {
  const { filter } = usePage();
  const { shown, failure, isEmpty } = timeline;
  const isWaiting = useDelayed(shown === null && failure === null);
  return (
    <>
      {failure && <FailureNotice failure={failure} what="The events" onRetry={timeline.retry} />}
      {shown === null && isWaiting && <Placeholders />}
      {isEmpty && !failure && <NoEvents filter={filter} />}
      {shown !== null && !isEmpty && (
        <div className="timeline-list" data-stale={timeline.isLoading || undefined}>
          <EventList key={JSON.stringify(shown)} listKey={shown} filter={filter} openId={openId} total={total} newIds={NO_IDS} />
        </div>
      )}
    </>
  );
}

/** The exact number of events. The last known one stays until the next one is there. */
function useShownTotal({ shown }: Timeline): { total: number | null; isExact: boolean } {
  const { token } = useSession();
  const { timeZone } = useZone();
  const query = useQuery({
    ...histogramQuery(shown?.variables ?? {}, timeZone, shown?.generation ?? 0, token),
    enabled: shown !== null,
    placeholderData: (previous) => previous,
  });
  return { total: query.data?.eventCounts.total ?? null, isExact: !query.isPlaceholderData };
}

function Placeholders() {
  return (
    <div className="event-list" aria-busy="true">
      {Array.from({ length: 12 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders are all the same
        <EventPlaceholder key={index} />
      ))}
    </div>
  );
}
