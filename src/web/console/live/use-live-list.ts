import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Timeline } from '../timeline/use-timeline.js';
import type { Live } from './use-live.js';

/** The time for which new rows are marked. */
const MARKED_MS = 3_000;

/** The list collects new events, and shows them together when none has arrived for this long. */
const GATHERED_MS = 500;

/** A user who has scrolled further down than this is reading, so the list does not change. */
const TOP_PIXELS = 80;

const NO_IDS: ReadonlySet<number> = new Set();

export interface LiveList {
  /** Whether new events wait, because the user is reading. */
  readonly isPaused: boolean;
  /** The ids of the rows to mark. */
  readonly newIds: ReadonlySet<number>;
  readonly showWaiting: () => void;
}

/** Loads the list again when events arrive, unless an event is open, the list has the focus, or the user has scrolled down. */
export function useLiveList(live: Live, timeline: Timeline, isOpen: boolean): LiveList {
  const { waiting } = live.state;
  const isPaused = useIsReading() || isOpen;
  const [newIds, setNewIds] = useState(NO_IDS);
  const showWaiting = () => {
    setNewIds(waiting);
    live.markShown();
    timeline.refresh();
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `showWaiting` at each rendering must not restart the timer
  useEffect(() => {
    if (isPaused || waiting.size === 0) return;
    const timer = setTimeout(showWaiting, GATHERED_MS);
    return () => clearTimeout(timer);
  }, [waiting, isPaused]);
  useEffect(() => {
    if (newIds.size === 0) return;
    const timer = setTimeout(() => setNewIds(NO_IDS), MARKED_MS);
    return () => clearTimeout(timer);
  }, [newIds]);
  return { isPaused, newIds, showWaiting };
}

const isReading = () => scrollY > TOP_PIXELS || document.activeElement?.closest('.event-list') != null;

function subscribe(notify: () => void): () => void {
  const types = ['scroll', 'focusin', 'focusout'] as const;
  // Checks in a later task, because no element has the focus while the focus moves.
  const later = () => setTimeout(notify);
  for (const type of types) addEventListener(type, later, { passive: true });
  return () => {
    for (const type of types) removeEventListener(type, later);
  };
}

/** Whether the user has scrolled down, or has the focus in the list. */
const useIsReading = () => useSyncExternalStore(subscribe, isReading);
