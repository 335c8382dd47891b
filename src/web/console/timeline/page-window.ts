/**
 * The loaded pages of the event list, without their events. A list of a million rows keeps one cursor per page and the positions
 * where days begin. The list loads the events of a page again when the page comes into view.
 */
export interface PageWindow {
  readonly pages: readonly PageShape[];
}

export interface PageShape {
  /** The cursor of the last event; null for a page without events. */
  readonly end: string | null;
  readonly count: number;
  readonly hasMore: boolean;
  /** The day of the last event on this page. An empty page repeats the day of the page before, or has null. */
  readonly lastDay: string | null;
  /** The positions in this page of the events that have the heading of their day above them. */
  readonly dayStarts: ReadonlySet<number>;
}

export const PAGE_SIZE = 50;
export const EMPTY_WINDOW: PageWindow = { pages: [] };

/** The data of a page that `appendPage` needs. */
export interface LoadedPage {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly createdAt: string } }[];
  readonly hasMore: boolean;
}

/** Adds the page that follows the last one. @param dayOf names the day of an event in the time zone of the list */
export function appendPage(window: PageWindow, page: LoadedPage, dayOf: (createdAt: string) => string): PageWindow {
  let day = window.pages.at(-1)?.lastDay ?? null;
  const dayStarts = new Set<number>();
  for (const [index, { node }] of page.edges.entries()) {
    const own = dayOf(node.createdAt);
    if (own !== day) dayStarts.add(index);
    day = own;
  }
  const shape = {
    end: page.edges.at(-1)?.cursor ?? null,
    count: page.edges.length,
    hasMore: page.hasMore,
    lastDay: day,
    dayStarts,
  };
  return { pages: [...window.pages, shape] };
}

/** The number of events in all loaded pages. Each page but the last one is full. */
export function countLoaded({ pages }: PageWindow): number {
  return pages.length === 0 ? 0 : (pages.length - 1) * PAGE_SIZE + (pages.at(-1)?.count ?? 0);
}

export const hasMore = ({ pages }: PageWindow): boolean => pages.at(-1)?.hasMore ?? true;

/** Whether the event at a position of the list is the first one of its day. */
export function startsDay({ pages }: PageWindow, index: number): boolean {
  return pages[Math.floor(index / PAGE_SIZE)]?.dayStarts.has(index % PAGE_SIZE) ?? false;
}

/** The cursor after which a page begins. Null for the first page. Undefined if the previous page is not loaded or is the last. */
export function cursorOf({ pages }: PageWindow, page: number): string | null | undefined {
  if (page === 0) return null;
  const previous = pages[page - 1];
  return previous?.hasMore ? (previous.end ?? undefined) : undefined;
}

/** Returns the pages for the rows from `first` to `last`, and the next page if it is near. Omits pages without a known cursor. */
export function pagesFor(window: PageWindow, first: number, last: number): readonly number[] {
  const from = Math.max(0, Math.floor(first / PAGE_SIZE));
  const to = Math.floor((last + PAGE_SIZE / 2) / PAGE_SIZE);
  return Array.from({ length: to - from + 1 }, (_, offset) => from + offset).filter(
    (page) => cursorOf(window, page) !== undefined,
  );
}
