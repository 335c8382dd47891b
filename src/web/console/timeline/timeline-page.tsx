import { useState } from 'react';
import { EventPanel } from '../event/event-panel.js';
import { LiveButton, NewEventsPill } from '../live/live-button.js';
import { useLive } from '../live/use-live.js';
import { useLiveList } from '../live/use-live-list.js';
import { usePage } from '../navigation/use-page.js';
import { FoldedBreakdowns } from '../subject/breakdowns.js';
import { FilterBar } from './filter-bar.js';
import { SearchLinks } from './search-links.js';
import { TimelineBody, TimelineSummary } from './timeline-body.js';
import type { TimesInView } from './times-in-view.js';
import { NARROW } from './use-list-heights.js';
import { useListStart } from './use-list-start.js';
import { useMediaQuery } from './use-media-query.js';
import { useSummary } from './use-summary.js';
import { useTimeline } from './use-timeline.js';

/** The list of events below its filter, with the open event beside it. */
export function TimelinePage({ openId }: { readonly openId: number | null }) {
  const { filter } = usePage();
  const { start, showNewest } = useListStart(filter, openId);
  const timeline = useTimeline(filter, start);
  const summary = useSummary(timeline);
  const [inView, setInView] = useState<TimesInView | null>(null);
  const live = useLive(filter, start === null);
  const liveList = useLiveList(live, timeline, openId !== null);
  const showNew = () => {
    showNewest();
    liveList.showWaiting();
    scrollTo({ top: 0 });
  };
  const isCovered = useMediaQuery(NARROW) && openId !== null;
  const total = summary.isCurrent ? (summary.counts?.total ?? null) : null;
  return (
    <div className="timeline" data-open={openId !== null || undefined}>
      <main className="timeline-main" inert={isCovered}>
        <h1 className="visually-hidden">Events</h1>
        <FilterBar filter={filter} />
        <TimelineSummary summary={summary} filter={filter} inView={inView}>
          <LiveButton live={live} list={liveList} />
          <SearchLinks filter={filter} total={total} />
        </TimelineSummary>
        {total !== 0 && timeline.shown && <FoldedBreakdowns variables={timeline.shown.variables} filter={filter} />}
        {typeof start === 'string' && (
          <p className="list-start">
            <button type="button" className="button" onClick={showNewest}>
              Show the newest events
            </button>
            <span className="muted">The list begins just above event {openId ?? 'that was linked'}.</span>
          </p>
        )}
        <NewEventsPill live={live} list={liveList} onShow={showNew} />
        <TimelineBody
          timeline={timeline}
          filter={filter}
          openId={openId}
          total={total}
          newIds={liveList.newIds}
          onView={setInView}
        />
      </main>
      {openId !== null && <EventPanel id={openId} filter={filter} variables={timeline.shown?.variables ?? {}} />}
    </div>
  );
}
