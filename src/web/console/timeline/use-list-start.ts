import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConsoleBeforeDocument } from '../../../generated/console/graphql.js';
import { runDocument } from '../api/gateway-client.js';
import { useEvent } from '../api/queries.js';
import type { ConsoleFilter } from '../filter/console-filter.js';
import { writeFilter } from '../filter/filter-url.js';
import { toEventFilter } from '../filter/filter-variables.js';
import { useSession } from '../session/session.js';

/** At most this many newer events are above a linked event, so that people see what happened next. */
const SHOWN_ABOVE = 40;

/**
 * Determines where the list begins. For a link to an event, the list begins with up to `SHOWN_ABOVE` newer events. Without a
 * link, after a change of the filter, or if the event cannot be loaded, the list begins at the newest event.
 * @returns `start` as a cursor, null for the newest event, undefined while it is not known
 */
export function useListStart(
  filter: ConsoleFilter,
  openId: number | null,
): { readonly start: string | null | undefined; readonly showNewest: () => void } {
  const { token } = useSession();
  const text = writeFilter(filter);
  const [linked, setLinked] = useState(openId === null ? null : { id: openId, text });
  const isLinked = linked !== null && linked.text === text;
  const event = useEvent(linked?.id ?? 0, isLinked);
  const cursor = event.data?.event ? event.data.events.edges[0]?.cursor : undefined;
  const before = useQuery({
    queryKey: ['before', text, cursor],
    queryFn: ({ signal }) => {
      const variables = { filter: toEventFilter(filter, new Date()), cursor: cursor ?? '', last: SHOWN_ABOVE };
      return runDocument(ConsoleBeforeDocument, variables, { token, signal });
    },
    enabled: isLinked && cursor !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const showNewest = () => setLinked(null);
  const isLost = event.isError || (event.isSuccess && cursor === undefined) || before.isError;
  if (!isLinked || isLost) return { start: null, showNewest };
  const page = before.data?.events.pageInfo;
  if (!page) return { start: undefined, showNewest };
  return { start: page.hasPreviousPage ? (page.startCursor ?? null) : null, showNewest };
}
