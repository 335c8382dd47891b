import { toFailure } from '../api/gateway-failure.js';
import { EventPanel } from '../event/event-panel.js';
import type { ConsoleFilter } from '../filter/console-filter.js';
import { usePage } from '../navigation/use-page.js';
import { FailureNotice } from '../states/failure-notice.js';
import { useDelayed } from '../states/use-delayed.js';
import { EventPlaceholder } from './event-item.js';
import { EventList } from './event-list.js';
import { FilterBar } from './filter-bar.js';
import { Histogram } from './histogram.js';
import { NoEvents } from './no-events.js';
import { NARROW } from './use-list-heights.js';
import { useMediaQuery } from './use-media-query.js';
import { useSummary } from './use-summary.js';
import { type Timeline, useTimeline } from './use-timeline.js';

const NO_IDS: ReadonlySet<number> = new Set();

/** The list of events under its filter, and beside it the open event. */
export function TimelinePage({ openId }: { readonly openId: number | null }) {
  const { filter } = usePage();
  const timeline = useTimeline(filter);
  const isNarrow = useMediaQuery(NARROW);
  const isCovered = isNarrow && openId !== null;
  const summary = useSummary(timeline);
  const total = summary.isCurrent ? (summary.counts?.total ?? null) : null;
  return (
    <div className="timeline" data-open={openId !== null || undefined}>
      <main className="timeline-main" inert={isCovered}>
        <h1 className="visually-hidden">Events</h1>
        <FilterBar filter={filter} variables={timeline.shown?.variables ?? {}} />
        <Summary summary={summary} filter={filter} />
        <TimelineBody timeline={timeline} openId={openId} total={total} />
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

interface SummaryProps {
  readonly summary: ReturnType<typeof useSummary>;
  readonly filter: ConsoleFilter;
}

/** The histogram and the exact total. */
function Summary({ summary: { counts, error, refetch }, filter }: SummaryProps) {
  if (error) return <FailureNotice failure={toFailure(error)} what="The numbers of events" onRetry={refetch} />;
  return (
    <>
      {counts?.total === 0 || <div className="histogram">{counts && <Histogram counts={counts} filter={filter} />}</div>}
      <p className="total" role="status">
        {counts && `${counts.total.toLocaleString('en')} ${counts.total === 1 ? 'event' : 'events'}`}
      </p>
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
