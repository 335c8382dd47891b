import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { GatewayFailure } from '../api/gateway-failure.js';
import type { ConsoleFilter } from '../filter/console-filter.js';
import { writeFilter } from '../filter/filter-url.js';
import { toEventFilter } from '../filter/filter-variables.js';
import { useSession } from '../session/session.js';
import { useLastFailure } from '../states/use-last-failure.js';
import { type EventListKey, pageQuery } from './use-event-pages.js';

export interface Timeline {
  /** The list to show: the previous list until the first page of the next one has arrived. Null before the first list. */
  readonly shown: EventListKey | null;
  /** Whether the filter matches no event. */
  readonly isEmpty: boolean;
  readonly isLoading: boolean;
  readonly failure: GatewayFailure | null;
  readonly retry: () => void;
  /** Loads the list again, with newer events. */
  readonly refresh: () => void;
}

/**
 * Loads the list of a filter. Relative times in the filter count back from the moment of loading.
 * @param start the cursor after which the list begins; null for the newest event. Nothing is loaded while it is undefined
 */
export function useTimeline(filter: ConsoleFilter, start: string | null | undefined = null): Timeline {
  const { token } = useSession();
  // Starts with the present time, so that a page that is opened again does not show the cached list.
  const [generation, setGeneration] = useState(() => Date.now());
  const text = writeFilter(filter);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `text` identifies the filter; a new `generation` reloads the list
  const wanted = useMemo<EventListKey>(
    () => ({ variables: toEventFilter(filter, new Date()), generation, start: start ?? null }),
    [text, generation, start],
  );
  const first = useQuery({ ...pageQuery(wanted, null, token), enabled: start !== undefined });
  const [shown, setShown] = useState<EventListKey | null>(null);
  if (first.isSuccess && shown !== wanted) setShown(wanted);
  const failure = useLastFailure({ error: first.error, isLoaded: first.isSuccess, of: text });
  const isShown = first.isSuccess && shown === wanted;
  return {
    shown,
    isEmpty: isShown && first.data.events.edges.length === 0,
    isLoading: first.isFetching,
    failure,
    retry: () => void first.refetch(),
    refresh: () => setGeneration((current) => current + 1),
  };
}
