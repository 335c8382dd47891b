import { useMemo } from 'react';
import { useMediaQuery } from './use-media-query.js';

/** Matches a window that is so narrow that the page has one column. The style sheets use the same width. */
export const NARROW = '(max-width: 719px)';

export interface ListHeights {
  /** The height of a row. All heights are in pixels. */
  readonly row: number;
  /** The height of the heading of a day, above its first row. */
  readonly day: number;
  /** The room for the heading of the current day, which stays at the top of the window. */
  readonly header: number;
}

/** The heights in event-row.css and timeline.css. They are fixed, so that the position of each row of a long list is known. */
export function useListHeights(): ListHeights {
  const isNarrow = useMediaQuery(NARROW);
  return useMemo(() => (isNarrow ? { row: 84, day: 40, header: 48 } : { row: 40, day: 44, header: 48 }), [isNarrow]);
}
