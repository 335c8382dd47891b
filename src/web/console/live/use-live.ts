import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useState, useSyncExternalStore } from 'react';
import { ConsoleEventsDocument, type ConsoleEventsQuery, type EventFilter } from '../../../generated/console/graphql.js';
import { runDocument } from '../api/gateway-client.js';
import { toRestParameters } from '../export/export-parameters.js';
import type { ConsoleFilter } from '../filter/console-filter.js';
import { writeFilter } from '../filter/filter-url.js';
import { toEventFilter } from '../filter/filter-variables.js';
import { useSession } from '../session/session.js';
import { PAGE_SIZE } from '../timeline/page-window.js';
import { followFeed } from './follow-feed.js';
import { createLiveState, type LiveState, reduceLive } from './live-state.js';

export interface Live {
  readonly state: LiveState;
  /** Whether the user wants new events. */
  readonly isOn: boolean;
  readonly toggle: () => void;
  /** Reports that the list shows the events that waited. */
  readonly markShown: () => void;
}

/**
 * Follows the events of a filter, while the tab is visible.
 * @param hasNewest whether the list begins with the newest event
 */
export function useLive(filter: ConsoleFilter, hasNewest: boolean): Live {
  const { token } = useSession();
  const [isOn, setIsOn] = useState(true);
  const [state, dispatch] = useReducer(reduceLive, Date.now(), createLiveState);
  const isVisible = useVisibility();
  const client = useQueryClient();
  const text = writeFilter(filter);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `text` identifies the filter
  useEffect(() => {
    // Drops the waiting events, which belong to another filter or to an earlier stream.
    dispatch({ kind: 'started', at: Date.now() });
    const variables = toEventFilter(filter, new Date());
    if (!isOn || hasEnded(variables)) return dispatch({ kind: 'connection', connection: { kind: 'off' } });
    const wanted = toRestParameters(variables);
    if ('problem' in wanted) {
      return dispatch({ kind: 'connection', connection: { kind: 'refused', reason: wanted.problem } });
    }
    if (!isVisible) return;
    const stop = new AbortController();
    const { signal } = stop;
    const arrived: number[] = [];
    const addEvents = (ids: readonly number[]) => dispatch({ kind: 'events', ids: withoutLoaded(client, ids) });
    void followFeed(
      { parameters: wanted.parameters, token, signal },
      {
        onEvent: (id) => arrived.push(id),
        // The gateway reports its progress after each page, so the state changes once a page, even during an import.
        onProgress(upToDate, hasAdvanced) {
          addEvents(arrived.splice(0));
          dispatch({ kind: 'progress', upToDate, hasAdvanced, at: Date.now() });
        },
        onConnection: (connection) => dispatch({ kind: 'connection', connection }),
        // Events that were added between the loading of the list and the start of the stream are in neither of the two. To find
        // these events, the first page is read again.
        onStart() {
          if (!hasNewest) return;
          const first = runDocument(ConsoleEventsDocument, { filter: variables, first: PAGE_SIZE }, { token, signal });
          first.then(
            ({ events }) => addEvents(events.edges.map(({ node }) => node.id)),
            () => undefined,
          );
        },
      },
    );
    return () => stop.abort();
  }, [text, isOn, isVisible, hasNewest, token, client]);

  return {
    state,
    isOn,
    toggle: () => setIsOn((current) => !current),
    markShown: () => dispatch({ kind: 'shown' }),
  };
}

/** Returns the ids of events that are on no page in the query cache. */
function withoutLoaded(client: QueryClient, ids: readonly number[]): readonly number[] {
  if (ids.length === 0) return ids;
  const pages = client.getQueriesData<ConsoleEventsQuery>({ queryKey: ['events'] });
  const loaded = new Set(pages.flatMap(([, page]) => page?.events.edges.map(({ node }) => node.id) ?? []));
  return ids.filter((id) => !loaded.has(id));
}

/** Whether the time range of a filter is in the past, so that no new event falls into the range. */
function hasEnded({ until }: EventFilter): boolean {
  return until != null && Date.parse(until) < Date.now();
}

const subscribe = (notify: () => void) => {
  document.addEventListener('visibilitychange', notify);
  return () => document.removeEventListener('visibilitychange', notify);
};

/** Whether the tab is visible. A browser allows few connections to a host, so a hidden tab keeps none. */
const useVisibility = () => useSyncExternalStore(subscribe, () => document.visibilityState === 'visible');
