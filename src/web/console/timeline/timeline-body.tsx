import type { ReactNode } from 'react';
import type { ConsoleFilter } from '../filter/console-filter.js';
import { FailureNotice } from '../states/failure-notice.js';
import { useDelayed } from '../states/use-delayed.js';
import { EventPlaceholder } from './event-item.js';
import { EventList } from './event-list.js';
import { Histogram } from './histogram.js';
import { NoEvents } from './no-events.js';
import type { TimesInView } from './times-in-view.js';
import type { useSummary } from './use-summary.js';
import type { Timeline } from './use-timeline.js';

interface TimelineSummaryProps {
  readonly summary: ReturnType<typeof useSummary>;
  readonly filter: ConsoleFilter;
  readonly inView: TimesInView | null;
  /** The buttons beside the total. */
  readonly children?: ReactNode;
}

/** The histogram, and the exact total with the buttons beside it. */
export function TimelineSummary({ summary: { counts, failure, refetch }, filter, inView, children }: TimelineSummaryProps) {
  return (
    <>
      {failure && <FailureNotice failure={failure} what="The numbers of events" onRetry={refetch} />}
      {counts?.total !== 0 && !failure && (
        <div className="histogram-place">{counts && <Histogram counts={counts} filter={filter} inView={inView} />}</div>
      )}
      <div className="summary">
        <p className="total" role="status">
          {counts && `${counts.total.toLocaleString('en')} ${counts.total === 1 ? 'event' : 'events'}`}
        </p>
        {children}
      </div>
    </>
  );
}

interface TimelineBodyProps {
  readonly timeline: Timeline;
  readonly filter: ConsoleFilter;
  readonly openId: number | null;
  readonly total: number | null;
  readonly newIds?: ReadonlySet<number>;
  readonly onView: (times: TimesInView) => void;
}

const NO_IDS: ReadonlySet<number> = new Set();

/** The list of events, or the reason why there is none. */
export function TimelineBody({ timeline, filter, openId, total, newIds = NO_IDS, onView }: TimelineBodyProps) {
  const { shown, failure, isEmpty } = timeline;
  const isWaiting = useDelayed(shown === null && failure === null);
  return (
    <>
      {failure && <FailureNotice failure={failure} what="The events" onRetry={timeline.retry} />}
      {shown === null && isWaiting && <Placeholders />}
      {isEmpty && !failure && <NoEvents filter={filter} />}
      {shown !== null && !isEmpty && (
        <div className="timeline-list" data-stale={timeline.isLoading || undefined}>
          <EventList
            key={JSON.stringify(shown)}
            listKey={shown}
            filter={filter}
            openId={openId}
            total={total}
            newIds={newIds}
            onView={onView}
          />
        </div>
      )}
    </>
  );
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
