import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Limit } from '../errors.js';
import type { FeedState } from '../event-feed/feed-streams.js';
import type { MirrorAge } from '../log-copy/mirror-age.js';

/** The measurements of one request. Each label has few values, whatever clients send. */
export interface Observation {
  /** The name from `nameOperation`: the REST operation, the root field of a GraphQL document (or `several`), or the route. */
  readonly operation: string;
  readonly status: number;
  readonly seconds: number;
  readonly cost: number;
  /** The limit that rejected the request with 429, if one did. */
  readonly rejectedBy: Limit | null;
}

/** Values that are read whenever the metrics are scraped. */
export interface MetricSources {
  /** Counts the busy and idle connections to the database, and the requests that wait for one. */
  connections(): Readonly<Record<'busy' | 'idle' | 'waiting', number>>;
  isDatabaseUnavailable(): boolean;
  /** Counts available and unavailable replicas. */
  replicas(): Readonly<Record<'up' | 'unavailable', number>>;
  /** How old the copy of an Unleash log is; null if the log is not a copy. */
  mirror(): MirrorAge | null;
  /** The state of the feed: its open streams, and how far the feed is behind the log. */
  feed(): FeedState;
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Histogram buckets, from the time of a cached response to the default time limit of a statement. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Collects Prometheus metrics of one gateway: its requests, its database and its process, such as the lag of the event loop. */
export function createMetrics(sources: MetricSources) {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  registerSources(registers, sources);
  const requests = new Counter({
    name: 'gateway_requests_total',
    help: 'Requests by operation and HTTP status.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'gateway_request_seconds',
    help: 'Time from a request to the end of its response.',
    labelNames: ['operation'],
    buckets: SECONDS,
    registers,
  });
  const cost = new Counter({
    name: 'gateway_cost_total',
    help: 'Cost of requests, in the units of GRAPHQL_COST_PER_MINUTE.',
    labelNames: ['operation'],
    registers,
  });
  const rejections = new Counter({
    name: 'gateway_rate_limited_total',
    help: 'Requests rejected with 429: by the budget of a caller (cost), for wrong tokens from an address (failed_logins), or for too many requests at once (request).',
    labelNames: ['limit'],
    registers,
  });
  const choices = new Counter({
    name: 'gateway_event_reads_total',
    help: 'Reads of events (lists, their versions, single ones) by server, if there are replicas: a replica that was up to date with the primary, or the primary.',
    labelNames: ['from'],
    registers,
  });

  return {
    contentType: register.contentType,
    render: (): Promise<string> => register.metrics(),
    countChoice: (from: 'primary' | 'replica'): void => choices.inc({ from }),
    observe(observation: Observation): void {
      const { operation, status, rejectedBy } = observation;
      requests.inc({ operation, status });
      seconds.observe({ operation }, observation.seconds);
      if (observation.cost > 0) cost.inc({ operation }, observation.cost);
      if (rejectedBy) rejections.inc({ limit: rejectedBy });
    },
  };
}

/** Registers the metrics whose values are read at each scrape. */
function registerSources(registers: Registry[], sources: MetricSources): void {
  const { connections, isDatabaseUnavailable, replicas } = sources;
  registerMirror(registers, sources);
  registerFeed(registers, sources);
  new Gauge({
    name: 'gateway_database_up',
    help: '1 while the database is available, else 0.',
    registers,
    collect() {
      this.set(isDatabaseUnavailable() ? 0 : 1);
    },
  });
  new Gauge({
    name: 'gateway_database_connections',
    help: 'Connections to PostgreSQL that are busy or idle, and requests that wait for one.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(connections())) this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'gateway_replicas',
    help: 'Replicas of DATABASE_REPLICA_URLS that are available (up) or unavailable.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(replicas())) this.set({ state }, count);
    },
  });
}

/** Registers the metrics of the feed. The lag is 0 unless a stream is open or a page was read in the last two minutes. */
function registerFeed(registers: Registry[], { feed }: MetricSources): void {
  const register = (name: string, help: string, read: (state: FeedState) => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read(feed()));
      },
    });
  register('gateway_feed_streams', 'Open streams of the feed, and long polls that wait.', ({ streams }) => streams);
  register(
    'gateway_feed_lag_seconds',
    'The seconds since the gateway first saw an event that the feed does not include yet; 0 if there is none, and if nobody has read the feed for two minutes.',
    ({ lagSeconds }) => lagSeconds,
  );
  register(
    'gateway_feed_held_by_seconds',
    'The seconds for which open transactions that have written to the log have held back the feed; 0 if there is none, and if nobody has read the feed for two minutes.',
    ({ heldSeconds }) => heldSeconds,
  );
}

/** Registers the metrics of a mirror. They have no value if the log is not a copy. A time that is not known yet is 0. */
function registerMirror(registers: Registry[], { mirror }: MetricSources): void {
  const toSeconds = (time: string | null) => (time === null ? 0 : Date.parse(time) / 1000);
  const register = (name: string, help: string, read: (age: MirrorAge) => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const age = mirror();
        if (age) this.set(read(age));
        else this.remove();
      },
    });
  register(
    'gateway_mirror_last_response_timestamp_seconds',
    'When Unleash last responded to the mirror, in seconds since 1970.',
    (age) => toSeconds(age.lastResponseAt),
  );
  register(
    'gateway_mirror_complete_timestamp_seconds',
    'The time until which the copy has every event of Unleash, in seconds since 1970.',
    (age) => toSeconds(age.completeAt),
  );
  register('gateway_mirror_complete_up_to_id', 'The highest event id of the copy at that time.', (age) => age.completeUpTo ?? 0);
}
