import { useQuery } from '@tanstack/react-query';
import type { ConsoleHistogramQuery, CountInterval } from '../../../generated/console/graphql.js';
import { histogramQuery } from '../api/queries.js';
import { useZone } from '../preferences/time-zone.js';
import { useSession } from '../session/session.js';
import { useLastFailure } from '../states/use-last-failure.js';
import { NARROW } from './use-list-heights.js';
import { useMediaQuery } from './use-media-query.js';
import type { Timeline } from './use-timeline.js';

type Counts = ConsoleHistogramQuery['eventCounts'];

/** More bars than this are too thin to point at. */
const MOST_BARS = 190;

const DAY_MS = 86_400_000;
const FINER: readonly (readonly [CountInterval, number])[] = [
  ['DAY', DAY_MS],
  ['WEEK', 7 * DAY_MS],
];

/** Loads the numbers of the events in the list. The previous numbers stay until the next ones have arrived. */
export function useSummary({ shown }: Timeline) {
  const { token } = useSession();
  const { timeZone } = useZone();
  const isNarrow = useMediaQuery(NARROW);
  const query = (interval: CountInterval) =>
    histogramQuery(shown?.variables ?? {}, interval, timeZone, shown?.generation ?? 0, token);
  const automatic = useQuery({ ...query('AUTO'), enabled: shown !== null, placeholderData: (previous) => previous });
  const finer = isNarrow || automatic.isPlaceholderData ? undefined : findFiner(automatic.data?.eventCounts);
  const refined = useQuery({ ...query(finer ?? 'AUTO'), enabled: finer !== undefined });
  const counts: Counts | undefined = refined.data?.eventCounts ?? automatic.data?.eventCounts;
  const isCurrent = !automatic.isPlaceholderData;
  const failure = useLastFailure({ error: automatic.error, isLoaded: automatic.isSuccess && isCurrent, of: shown });
  return { counts, isCurrent, failure, refetch: () => void automatic.refetch() };
}

/**
 * Returns an interval with more bars than `AUTO` gives, or undefined. `AUTO` gives at most 60 bars. Weeks and months are replaced
 * by the shortest interval that needs at most `MOST_BARS` bars.
 */
function findFiner(counts: Counts | undefined): CountInterval | undefined {
  const [first, last] = [counts?.buckets[0], counts?.buckets.at(-1)];
  if (!first || !last || (counts?.interval !== 'WEEK' && counts?.interval !== 'MONTH')) return undefined;
  const length = Date.parse(last.end) - Date.parse(first.start);
  const [interval] = FINER.find(([, ms]) => length / ms <= MOST_BARS) ?? [];
  return interval === counts.interval ? undefined : interval;
}
