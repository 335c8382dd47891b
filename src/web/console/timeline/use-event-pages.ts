import { type QueryClient, queryOptions, useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { ConsoleEventsDocument, type ConsoleEventsQuery, type EventFilter } from '../../../generated/console/graphql.js';
import { runDocument, type Token } from '../api/gateway-client.js';
import { type GatewayFailure, toFailure } from '../api/gateway-failure.js';
import { useSession } from '../session/session.js';
import { appendPage, countLoaded, cursorOf, EMPTY_WINDOW, hasMore, PAGE_SIZE, type PageWindow, pagesFor } from './page-window.js';

export type EventEdge = ConsoleEventsQuery['events']['edges'][number];
export type EventRow = EventEdge['node'];

/** Identifies a list of events: a filter at one moment. The same filter at another moment is another list. */
export interface EventListKey {
  readonly variables: EventFilter;
  /** Distinguishes lists of the same filter that were loaded at different times. */
  readonly generation: number;
  /** The cursor after which the list begins; null if it begins with the newest event. */
  readonly start: string | null;
}

/** The time for which the events of a page stay in memory after the page has left the view. */
const KEPT_MS = 5_000;

/** Returns the query of one page. @param after the cursor after which the page begins; null for the first page */
export function pageQuery({ variables, generation, start }: EventListKey, after: string | null, token: Token) {
  return queryOptions({
    queryKey: ['events', variables, generation, start, after],
    queryFn: ({ signal }) =>
      runDocument(ConsoleEventsDocument, { filter: variables, first: PAGE_SIZE, after: after ?? start }, { token, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
  });
}

export interface EventPages {
  readonly window: PageWindow;
  /** Returns an event by its position in the list, or undefined while its page is not loaded. */
  readonly eventAt: (index: number) => EventRow | undefined;
  /** Returns the position of a loaded event in the list, or null. */
  readonly indexOf: (id: number) => number | null;
  readonly loaded: number;
  readonly hasMore: boolean;
  readonly failure: GatewayFailure | null;
  readonly retry: () => void;
}

/** Loads the pages for the rows in view. */
export function useEventPages(
  key: EventListKey,
  dayOf: (createdAt: string) => string,
  inView: { readonly first: number; readonly last: number },
): EventPages {
  const { token } = useSession();
  const client = useQueryClient();
  const [window, setWindow] = useState(() => fromCache(client, key, token, dayOf));
  const wanted = pagesFor(window, inView.first, inView.last);
  const results = useQueries({ queries: wanted.map((page) => pageQuery(key, cursorOf(window, page) ?? null, token)) });

  const next = results[wanted.indexOf(window.pages.length)]?.data?.events;
  useEffect(() => {
    if (next) setWindow((current) => appendPage(current, toLoaded(next), dayOf));
  }, [next, dayOf]);

  const failed = results.find(({ isError }) => isError);
  return useMemo(() => {
    const edges = new Map(wanted.map((page, index) => [page, results[index]?.data?.events.edges]));
    return {
      window,
      eventAt: (index: number) => edges.get(Math.floor(index / PAGE_SIZE))?.[index % PAGE_SIZE]?.node,
      indexOf: (id: number) => {
        for (const [page, events] of edges) {
          const position = events?.findIndex(({ node }) => node.id === id) ?? -1;
          if (position >= 0) return page * PAGE_SIZE + position;
        }
        return null;
      },
      loaded: countLoaded(window),
      hasMore: hasMore(window),
      failure: failed ? toFailure(failed.error) : null,
      retry: () => void failed?.refetch(),
    };
  }, [window, wanted, results, failed]);
}

/** Returns a window with the first page if the cache has that page. `useTimeline` loads it before the list is shown. */
function fromCache(client: QueryClient, key: EventListKey, token: Token, dayOf: (createdAt: string) => string): PageWindow {
  const first = client.getQueryData(pageQuery(key, null, token).queryKey);
  return first ? appendPage(EMPTY_WINDOW, toLoaded(first.events), dayOf) : EMPTY_WINDOW;
}

const toLoaded = ({ edges, pageInfo }: ConsoleEventsQuery['events']) => ({ edges, hasMore: pageInfo.hasNextPage });
