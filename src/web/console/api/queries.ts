import { queryOptions, useQuery } from '@tanstack/react-query';
import {
  ConsoleDaysDocument,
  ConsoleEventDocument,
  ConsoleGroupsDocument,
  ConsoleHistogramDocument,
  ConsoleNeighborsDocument,
  ConsoleTotalDocument,
  type CountInterval,
  type EventDimension,
  type EventFilter,
} from '../../../generated/console/graphql.js';
import { useSession } from '../session/session.js';
import { runDocument, type Token } from './gateway-client.js';

/** Queries the number of events in each interval of time, and their total. */
export const histogramQuery = (
  filter: EventFilter,
  interval: CountInterval,
  timeZone: string,
  generation: number,
  token: Token,
) =>
  queryOptions({
    queryKey: ['histogram', filter, interval, timeZone, generation],
    queryFn: ({ signal }) => runDocument(ConsoleHistogramDocument, { filter, interval, timeZone }, { token, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export function useTotal(filter: EventFilter, generation: number, isEnabled = true) {
  const { token } = useSession();
  return useQuery({
    queryKey: ['total', filter, generation],
    queryFn: ({ signal }) => runDocument(ConsoleTotalDocument, { filter }, { token, signal }),
    enabled: isEnabled,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Queries the number of events of each day in the range of the filter. */
export const daysQuery = (filter: EventFilter, timeZone: string, generation: number, token: Token) =>
  queryOptions({
    queryKey: ['days', filter, timeZone, generation],
    queryFn: ({ signal }) => runDocument(ConsoleDaysDocument, { filter, timeZone }, { token, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Queries the number of events for each value of a property, the largest number first. */
export function useGroups(filter: EventFilter, by: EventDimension, top: number, isEnabled = true) {
  const { token } = useSession();
  return useQuery({
    queryKey: ['groups', filter, by, top],
    queryFn: ({ signal }) => runDocument(ConsoleGroupsDocument, { filter, by, top }, { token, signal }),
    enabled: isEnabled,
    staleTime: 60_000,
  });
}

export function useEvent(id: number, isEnabled = true) {
  const { token } = useSession();
  return useQuery({
    queryKey: ['event', id],
    queryFn: ({ signal }) => runDocument(ConsoleEventDocument, { id, ids: [id] }, { token, signal }),
    enabled: isEnabled,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Queries the ids of the two events next to `cursor` in the list of the filter: the next newer and the next older event. */
export function useNeighbors(filter: EventFilter, cursor: string | undefined) {
  const { token } = useSession();
  return useQuery({
    queryKey: ['neighbors', filter, cursor],
    queryFn: ({ signal }) => runDocument(ConsoleNeighborsDocument, { filter, cursor: cursor ?? '' }, { token, signal }),
    enabled: cursor !== undefined,
    staleTime: 30_000,
  });
}
