import { type RefObject, useEffect, useRef } from 'react';
import type { ConsoleFilter } from '../filter/console-filter.js';
import { handlesKeys } from '../navigation/handles-keys.js';
import { go } from '../navigation/use-page.js';
import type { EventRow } from './use-event-pages.js';

interface RowKeys {
  readonly list: RefObject<HTMLElement | null>;
  readonly count: number;
  readonly eventAt: (index: number) => EventRow | undefined;
  readonly indexOf: (id: number) => number | null;
  readonly showRow: (index: number) => void;
  readonly openId: number | null;
  readonly filter: ConsoleFilter;
}

const STEPS: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

/** After a scroll, the new row enters the document with a delay. The focus waits for at most this many animation frames. */
const ATTEMPTS = 20;

/**
 * Moves the focus between rows by `j` and `k`, and by the arrows while a row has the focus. If the focus is outside of the list
 * and an event is open, `j` and `k` open the next or previous event instead.
 */
export function useRowKeys(keys: RowKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const move = (event: KeyboardEvent) => {
      const step = STEPS[event.key];
      const { list, count, eventAt, indexOf, showRow, openId, filter } = latest.current;
      const isArrow = event.key.startsWith('Arrow');
      const isInList = list.current?.contains(document.activeElement) ?? false;
      const isOther = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || handlesKeys(event.target);
      if (step === undefined || isOther || (isArrow && !isInList)) return;
      const current = findCurrent(indexOf, openId);
      const next = current === null ? 0 : current + step;
      if (next < 0 || next >= count) return;
      event.preventDefault();
      showRow(next);
      const target = eventAt(next);
      if (openId !== null && target && !isInList) go({ page: 'event', id: target.id }, filter, { replace: true });
      else focusRow(() => eventAt(next), ATTEMPTS);
    };
    document.addEventListener('keydown', move);
    return () => document.removeEventListener('keydown', move);
  }, []);
}

/** Returns the position of the focused row, or else of the open event. Null if neither exists, or if the event is not loaded. */
function findCurrent(indexOf: RowKeys['indexOf'], openId: number | null): number | null {
  const focused = (document.activeElement as HTMLElement | null)?.dataset['event'];
  const id = focused === undefined ? openId : Number(focused);
  return id === null ? null : indexOf(id);
}

function focusRow(find: () => EventRow | undefined, attempts: number): void {
  const event = find();
  const row = event && document.querySelector<HTMLElement>(`[data-event="${event.id}"]`);
  if (row) row.focus({ preventScroll: true });
  else if (attempts > 0) requestAnimationFrame(() => focusRow(find, attempts - 1));
}
