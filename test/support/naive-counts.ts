/** An event, as far as it is counted. */
export interface CountedEvent {
  /** Milliseconds. */
  readonly at: number;
  readonly type: string;
  readonly project: string | null;
  readonly featureName: string | null;
  readonly environment: string | null;
  readonly createdBy: string;
}

export interface CountsArgs {
  readonly by: 'TYPE' | 'PROJECT' | 'FEATURE' | 'ENVIRONMENT' | 'CREATED_BY' | null;
  readonly interval: 'AUTO' | 'MINUTE' | 'HOUR' | 'DAY' | 'WEEK' | 'MONTH' | null;
  readonly timeZone: string;
  readonly top: number;
  /** Milliseconds, or null for a range without this end. */
  readonly since: number | null;
  readonly until: number | null;
}

const FIELDS = {
  TYPE: 'type',
  PROJECT: 'project',
  FEATURE: 'featureName',
  ENVIRONMENT: 'environment',
  CREATED_BY: 'createdBy',
} as const;

const INTERVALS = ['MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH'] as const;
type Interval = (typeof INTERVALS)[number];

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;

const formats = new Map<string, Intl.DateTimeFormat>();
const clocks = new Map<string, number>();

/** Returns the time on the clock of a zone as if it were in UTC. Offsets change at whole quarters of an hour. */
function clockAt(zone: string, at: number): number {
  const quarter = Math.floor(at / QUARTER) * QUARTER;
  const cached = `${zone} ${quarter}`;
  let clock = clocks.get(cached);
  if (clock === undefined) {
    const format =
      formats.get(zone) ??
      new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium', numberingSystem: 'latn' });
    formats.set(zone, format);
    clock = Date.parse(`${format.format(quarter).replace(' ', 'T')}Z`);
    clocks.set(cached, clock);
  }
  return clock + (at - quarter);
}

/** Names the date, the Monday, the month or the hour that a clock shows. */
function labelOf(interval: Interval, clock: number): string {
  const date = new Date(clock);
  const text = date.toISOString();
  if (interval === 'MONTH') return text.slice(0, 7);
  if (interval === 'DAY') return text.slice(0, 10);
  if (interval === 'HOUR') return text.slice(0, 13);
  return new Date(clock - ((date.getUTCDay() + 6) % 7) * 24 * 60 * MINUTE).toISOString().slice(0, 10);
}

/** Whether a bucket begins, by walking along the clock in steps of a quarter of an hour. */
function begins(interval: Interval, zone: string, at: number): boolean {
  const clock = clockAt(zone, at);
  if (interval === 'HOUR' && clock % (60 * MINUTE) === 0) return true;
  // A date does not begin again when the clock is set back past its midnight.
  return labelOf(interval, clock) > labelOf(interval, clockAt(zone, at - QUARTER));
}

/** Returns where the buckets of a range begin, and where the last one ends; null if there are more than `most`. */
function walk(interval: Interval, zone: string, range: NaiveRange, most: number): number[] | null {
  const step = interval === 'MINUTE' ? MINUTE : QUARTER;
  const isStart = (at: number) => interval === 'MINUTE' || begins(interval, zone, at);
  let start = Math.floor(range.first / step) * step;
  while (!isStart(start)) start -= step;
  const starts = [range.isCutAtFirst ? range.first : start];
  for (let at = start + step; at < range.last; at += step) {
    if (at > range.first && isStart(at)) starts.push(at);
    if (starts.length > most) return null;
  }
  let end = Math.ceil(range.last / step) * step;
  while (!isStart(end)) end += step;
  return [...starts, range.isCutAtLast ? range.last : end];
}

interface NaiveRange {
  readonly first: number;
  readonly last: number;
  readonly isCutAtFirst: boolean;
  readonly isCutAtLast: boolean;
}

function rangeOf(events: readonly CountedEvent[], { since, until }: CountsArgs): NaiveRange | null {
  if (since !== null && until !== null && since >= until) return null;
  const times = events.map(({ at }) => at);
  if (times.length === 0 && (since === null || until === null)) return null;
  return {
    first: since ?? Math.min(...times),
    last: until ?? Math.max(...times) + 1,
    isCutAtFirst: since !== null,
    isCutAtLast: until !== null,
  };
}

/** Counts matching events one by one. Returns the interval that fits if the requested one gives too many buckets. */
export function countNaively(all: readonly CountedEvent[], args: CountsArgs) {
  const { by, interval, timeZone, top, since, until } = args;
  const events = all.filter(({ at }) => (since === null || at >= since) && (until === null || at < until));
  const range = interval && rangeOf(events, args);
  let used: Interval | null = null;
  let starts: number[] | null = null;
  if (interval && range) {
    const most = interval === 'AUTO' ? 60 : Math.min(500, by ? Math.floor(10_000 / top) : 500);
    const allowed = interval === 'AUTO' ? INTERVALS : INTERVALS.slice(INTERVALS.indexOf(interval));
    used = allowed.find((each) => walk(each, timeZone, range, most)) ?? null;
    if (used === null || (interval !== 'AUTO' && used !== interval)) return { fitting: used };
    starts = walk(used, timeZone, range, most);
  }
  const boundaries = starts ?? [];
  const spread = (some: readonly CountedEvent[]) =>
    boundaries
      .slice(0, -1)
      .map((start, index) => some.filter(({ at }) => at >= start && at < (boundaries[index + 1] ?? 0)).length);
  const byKey = new Map<string | null, CountedEvent[]>();
  for (const event of events) {
    const key = by ? event[FIELDS[by]] : null;
    byKey.set(key, [...(byKey.get(key) ?? []), event]);
  }
  const groups = [...byKey].map(([key, some]) => ({ key, count: some.length, counts: spread(some) }));
  groups.sort((one, other) => other.count - one.count || compareKeys(one.key, other.key));
  const listed = by ? groups.slice(0, top) : [];
  return {
    counts: {
      total: events.length,
      interval: used,
      buckets: spread(events).map((count, index) => ({
        start: toIso(boundaries[index]),
        end: toIso(boundaries[index + 1]),
        count,
      })),
      groups: listed,
      other: events.length - listed.reduce((sum, { count }) => sum + count, 0),
      distinct: by ? groups.length : 0,
    },
  };
}

function toIso(at: number | undefined): string {
  return new Date(at ?? Number.NaN).toISOString();
}

function compareKeys(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
