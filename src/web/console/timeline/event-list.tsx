import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ConsoleFilter } from '../filter/console-filter.js';
import { useZone } from '../preferences/time-zone.js';
import { FailureNotice } from '../states/failure-notice.js';
import { dayOf } from '../time/days.js';
import { DayHeading } from './day-heading.js';
import { EventItem, EventPlaceholder } from './event-item.js';
import { startsDay } from './page-window.js';
import type { TimesInView } from './times-in-view.js';
import { type EventListKey, useEventPages } from './use-event-pages.js';
import { useListHeights } from './use-list-heights.js';
import { useRowKeys } from './use-row-keys.js';

interface EventListProps {
  readonly listKey: EventListKey;
  readonly filter: ConsoleFilter;
  readonly openId: number | null;
  readonly total: number | null;
  readonly newIds: ReadonlySet<number>;
  /** Called with the times of the rows in view. */
  readonly onView: (times: TimesInView) => void;
}

/** The number of placeholders below the loaded rows while more rows follow. */
const PLACEHOLDERS = 12;
const OVERSCAN = 8;

/** The list of events, newest first. Only rows near the view are in the document. Only the pages of these rows are in memory. */
export function EventList({ listKey, filter, openId, total, newIds, onView }: EventListProps) {
  const { timeZone } = useZone();
  const dayOfEvent = useCallback((createdAt: string) => dayOf(new Date(createdAt), timeZone), [timeZone]);
  const heights = useListHeights();
  const list = useRef<HTMLElement>(null);
  const [top, setTop] = useState(0);
  const [inView, setInView] = useState({ first: 0, last: 0 });
  const pages = useEventPages(listKey, dayOfEvent, inView);
  const { window: pageWindow, loaded, hasMore } = pages;

  const count = loaded + (hasMore ? PLACEHOLDERS : 0);
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: (index) => heights.row + (startsDay(pageWindow, index) ? heights.day : 0),
    overscan: OVERSCAN,
    scrollMargin: top,
    scrollPaddingStart: heights.header,
  });
  const items = virtualizer.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  if (inView.first !== first || inView.last !== last) setInView({ first, last });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the heights of the rows depend on these values
  useLayoutEffect(() => virtualizer.measure(), [heights, pageWindow]);
  useLayoutEffect(() => {
    const distance = list.current ? list.current.getBoundingClientRect().top + scrollY : 0;
    if (Math.abs(distance - top) > 1) setTop(distance);
  });

  const eventAt = pages.eventAt;
  const showRow = useCallback((index: number) => virtualizer.scrollToIndex(index, { align: 'auto' }), [virtualizer]);
  useRowKeys({ list, count: loaded, eventAt, indexOf: pages.indexOf, showRow, openId, filter });
  const setSize = total ?? (hasMore ? -1 : loaded);
  useFirstScroll(pages.indexOf, openId, (index) => virtualizer.scrollToIndex(index, { align: 'center' }));

  const atTop = virtualizer.getVirtualItemForOffset((virtualizer.scrollOffset ?? 0) + heights.header);
  const topEvent = (virtualizer.scrollOffset ?? 0) + heights.header > top && atTop ? eventAt(atTop.index) : undefined;
  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
  const [newest, oldest] = [eventAt(startIndex)?.createdAt, eventAt(Math.min(endIndex, loaded - 1))?.createdAt];
  useEffect(() => {
    if (newest !== undefined && oldest !== undefined) onView({ newest, oldest });
  }, [newest, oldest, onView]);
  const shown = useMemo(() => items.map(({ index, start }) => ({ index, start })), [items]);

  return (
    <section ref={list} className="event-list" role="feed" aria-label="Events" aria-busy={loaded === 0}>
      {topEvent && (
        <div className="sticky-day">
          <DayHeading instant={topEvent.createdAt} listKey={listKey} isCopy />
        </div>
      )}
      <div className="event-canvas" style={{ height: virtualizer.getTotalSize() }}>
        {shown.map(({ index, start }) => {
          const event = eventAt(index);
          const style = { transform: `translateY(${start - top}px)` };
          if (!event) {
            return (
              <div key={index} className="event-place" style={style}>
                {startsDay(pageWindow, index) && <div className="day-heading" />}
                <EventPlaceholder />
              </div>
            );
          }
          return (
            <article
              key={event.id}
              className="event-place"
              style={style}
              aria-posinset={listKey.start === null ? index + 1 : undefined}
              aria-setsize={listKey.start === null ? setSize : undefined}
            >
              {startsDay(pageWindow, index) && <DayHeading instant={event.createdAt} listKey={listKey} />}
              <EventItem event={event} filter={filter} isOpen={event.id === openId} isNew={newIds.has(event.id)} />
            </article>
          );
        })}
      </div>
      {pages.failure && <FailureNotice failure={pages.failure} what="These events" onRetry={pages.retry} />}
    </section>
  );
}

/** Scrolls once to the event that was open when the list was first shown, as soon as that event is loaded. */
function useFirstScroll(indexOf: (id: number) => number | null, openId: number | null, scrollTo: (index: number) => void): void {
  const wanted = useRef(openId);
  useEffect(() => {
    const index = wanted.current === null ? null : indexOf(wanted.current);
    if (index === null) return;
    wanted.current = null;
    scrollTo(index);
  });
}
