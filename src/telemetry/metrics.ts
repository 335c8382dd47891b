import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What an answered request adds to the metrics. Each label has few values, whatever clients send. */
export interface Observation {
  /** An operation of the REST API, or the fields of a GraphQL document. */
  readonly operation: string;
  readonly status: number;
  readonly seconds: number;
  readonly cost: number;
  /** Which limit per minute refused it, if one did. */
  readonly refusedBy: 'cost' | 'failed_logins' | null;
}

/** Read when metrics are asked for. */
export interface MetricSources {
  /** Connections to the database, by what they do; none for the embedded one. */
  connections(): Readonly<Record<'busy' | 'idle' | 'waiting', number>> | null;
  isDatabaseUnavailable(): boolean;
  /** Replicas, by whether they answer. */
  replicas(): Readonly<Record<'up' | 'away', number>>;
}

export type Metrics = ReturnType<typeof createMetrics>;

/** From a cached answer to the time limit of a statement. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics of one gateway, for Prometheus: of its requests, its database, and of its process, such as the lag of the event loop. */
export function createMetrics(sources: MetricSources) {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  registerSources(registers, sources);
  const requests = new Counter({
    name: 'gateway_requests_total',
    help: 'Requests that were answered, by operation and HTTP status.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'gateway_request_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['operation'],
    buckets: SECONDS,
    registers,
  });
  const cost = new Counter({
    name: 'gateway_cost_total',
    help: 'Cost of what was asked for, in the units of GRAPHQL_COST_PER_MINUTE.',
    labelNames: ['operation'],
    registers,
  });
  const refusals = new Counter({
    name: 'gateway_rate_limited_total',
    help: 'Requests that a limit per minute refused: the cost of what a caller asks for, or wrong tokens from an address.',
    labelNames: ['limit'],
    registers,
  });
  const choices = new Counter({
    name: 'gateway_event_reads_total',
    help: 'Reads of events (lists, their versions, single ones), by where: on a replica that had all that the primary had, or on the primary.',
    labelNames: ['from'],
    registers,
  });

  return {
    contentType: register.contentType,
    render: (): Promise<string> => register.metrics(),
    countChoice: (from: 'primary' | 'replica'): void => choices.inc({ from }),
    observe(observation: Observation): void {
      const { operation, status, refusedBy } = observation;
      requests.inc({ operation, status });
      seconds.observe({ operation }, observation.seconds);
      if (observation.cost > 0) cost.inc({ operation }, observation.cost);
      if (refusedBy) refusals.inc({ limit: refusedBy });
    },
  };
}

/** What is read only when metrics are asked for. */
function registerSources(registers: Registry[], { connections, isDatabaseUnavailable, replicas }: MetricSources): void {
  new Gauge({
    name: 'gateway_database_up',
    help: '1 while the database answers, else 0.',
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
      for (const [state, count] of Object.entries(connections() ?? {})) this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'gateway_replicas',
    help: 'Replicas of DATABASE_REPLICA_URLS that answer, and that are away.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(replicas())) this.set({ state }, count);
    },
  });
}
