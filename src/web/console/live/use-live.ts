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
  /** Whether the person wants new events. */
  readonly isOn: boolean;
  readonly toggle: () => void;
  /** Says that the list has the events that waited. */
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the filter
  useEffect(() => {
    const variables = toEventFilter(filter, new Date());
    if (!isOn || hasEnded(variables)) return dispatch({ kind: 'connection', connection: { kind: 'off' } });
    const wanted = toRestParameters(variables);
    if ('problem' in wanted) {
      return dispatch({ kind: 'connection', connection: { kind: 'refused', reason: wanted.problem } });
    }
    if (!isVisible) return;
    const stop = new AbortController();
    const { signal } = stop;
    dispatch({ kind: 'connection', connection: { kind: 'connecting' } });
    const onEvent = (id: number) => isLoaded(client, id) || dispatch({ kind: 'event', id });
    void followFeed(
      { parameters: wanted.parameters, token, signal },
      {
        onEvent,
        onProgress: (upToDate) => dispatch({ kind: 'progress', upToDate, at: Date.now() }),
        onConnection: (connection) => dispatch({ kind: 'connection', connection }),
        // Events that were added between the list and the stream are in neither.
        onStart() {
          if (!hasNewest) return;
          const first = runDocument(ConsoleEventsDocument, { filter: variables, first: PAGE_SIZE }, { token, signal });
          first.then(
            ({ events }) => {
              for (const { node } of events.edges) onEvent(node.id);
            },
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

/** Whether a page in memory has an event. */
function isLoaded(client: QueryClient, id: number): boolean {
  const pages = client.getQueriesData<ConsoleEventsQuery>({ queryKey: ['events'] });
  return pages.some(([, page]) => page?.events.edges.some(({ node }) => node.id === id));
}

/** Whether the range of a filter is over, so that no event can be added to it. */
function hasEnded({ until }: EventFilter): boolean {
  return until != null && Date.parse(until) < Date.now();
}

const subscribe = (notify: () => void) => {
  document.addEventListener('visibilitychange', notify);
  return () => document.removeEventListener('visibilitychange', notify);
};

/** Whether the tab is visible. A browser allows few connections to a host, so a hidden tab keeps none. */
const useVisibility = () => useSyncExternalStore(subscribe, () => document.visibilityState === 'visible');
