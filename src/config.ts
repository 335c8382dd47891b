import type { DatabaseLocation } from './database/open.js';
import { parseEnvironment } from './environment.js';
import type { CostLimits } from './graphql/cost-limit.js';
import type { DocumentLimits } from './graphql/document-limits.js';
import type { TrustedMode } from './graphql/trusted-documents.js';
import type { HttpConfig } from './http/server.js';
import type { SlotLimits } from './limits/slots.js';
import type { SignupBaseUrl } from './signup-tokens/signup-token.service.js';

/** The configuration from the environment, parsed once. */
export interface Config {
  readonly host: string;
  /** 0 lets the operating system choose a port. */
  readonly port: number;
  readonly database: DatabaseLocation;
  /** Selects the gateway's own tables (`own`), or those of an Unleash server (`unleash`), to which the gateway only adds rows. */
  readonly databaseSchema: 'own' | 'unleash';
  /** The Unleash server that checks sessions, and tokens that the gateway itself does not know; null for none. */
  readonly unleash: { readonly url: string; readonly cacheMs: number } | null;
  /** Streaming replicas that events are read from. */
  readonly replicaUrls: readonly string[];
  /** The most connections that requests share, on the primary and on each replica. */
  readonly poolSize: number;
  /** The time limit of a request's query on PostgreSQL; 0 for none. */
  readonly statementTimeoutMs: number;
  /** Secrets of ADMIN tokens that exist from the start. */
  readonly initAdminApiTokens: readonly string[];
  /** The beginning of invite links. */
  readonly signupBaseUrl: SignupBaseUrl;
  /** How many days an invitation may last; null for any time. */
  readonly signupMaxDays: number | null;
  readonly logLevel: string;
  readonly graphiql: boolean;
  /** Whether the console is served at `/`. */
  readonly console: boolean;
  /** Whether clients may query the schema. */
  readonly introspection: boolean;
  /** The limits of a GraphQL document's size and cost. */
  readonly graphqlLimits: DocumentLimits & CostLimits;
  /** The cost limit per caller and minute; 0 for none. A caller is a token, or all tokens and sessions of an Unleash user. */
  readonly costPerMinute: number;
  /** The limit of wrong tokens per client address and minute; 0 for none. */
  readonly failedLoginsPerMinute: number;
  /** How many streams of the feed one caller, and all callers together, can have open on this gateway. */
  readonly feedStreams: SlotLimits;
  readonly http: HttpConfig;
  /** `files` list the GraphQL documents that clients may send by id. `mode` says whether clients may also send the text. */
  readonly trustedDocuments: { readonly mode: TrustedMode; readonly files: readonly string[] };
  /** How long a stopping gateway keeps serving while it reports that it is not ready, so that a load balancer notices. */
  readonly stopDelayMs: number;
  /** The endpoint for traces (OTLP over HTTP); null disables them. */
  readonly tracesEndpoint: string | null;
}

const DEFAULT_SIGNUP_BASE_URL = 'http://localhost:4242';

/** Reads the configuration from environment variables. @throws ConfigError if a variable is wrong */
export function parseConfig(env: NodeJS.ProcessEnv): Config {
  const values = parseEnvironment(env);
  return Object.freeze({
    host: values.HOST,
    port: values.PORT,
    database:
      values.DATABASE_URL === undefined
        ? { dataDir: values.DATA_DIR }
        : { url: values.DATABASE_URL, directUrl: values.DATABASE_DIRECT_URL },
    replicaUrls: values.DATABASE_REPLICA_URLS,
    databaseSchema: values.DATABASE_SCHEMA,
    unleash: values.UNLEASH_URL === undefined ? null : { url: values.UNLEASH_URL, cacheMs: values.UNLEASH_TOKEN_CACHE_MS },
    poolSize: values.DATABASE_POOL_SIZE,
    statementTimeoutMs: values.STATEMENT_TIMEOUT_MS,
    initAdminApiTokens: values.INIT_ADMIN_API_TOKENS,
    signupBaseUrl: toSignupBaseUrl(values.SIGNUP_BASE_URL ?? values.UNLEASH_URL),
    signupMaxDays: values.SIGNUP_MAX_DAYS ?? null,
    logLevel: values.LOG_LEVEL,
    graphiql: values.GRAPHIQL,
    console: values.CONSOLE,
    introspection: values.INTROSPECTION,
    graphqlLimits: {
      maxTokens: values.GRAPHQL_MAX_TOKENS,
      maxAliases: values.GRAPHQL_MAX_ALIASES,
      maxRootFields: values.GRAPHQL_MAX_ROOT_FIELDS,
      maxSelections: values.GRAPHQL_MAX_SELECTIONS,
      maxCost: values.GRAPHQL_MAX_COST,
      isEnforced: values.GRAPHQL_LIMITS === 'enforce',
    },
    costPerMinute: values.GRAPHQL_COST_PER_MINUTE,
    failedLoginsPerMinute: values.FAILED_LOGINS_PER_MINUTE,
    feedStreams: { perCaller: values.FEED_STREAMS_PER_TOKEN, total: values.FEED_STREAMS },
    http: {
      trustedProxies: values.TRUSTED_PROXIES,
      corsOrigins: values.CORS_ORIGINS,
      maxBodyBytes: values.MAX_BODY_BYTES,
      requestTimeoutMs: values.REQUEST_TIMEOUT_MS,
      idleTimeoutMs: values.IDLE_TIMEOUT_MS,
    },
    trustedDocuments: { mode: values.TRUSTED_DOCUMENTS, files: values.TRUSTED_DOCUMENTS_FILES },
    stopDelayMs: values.STOP_DELAY_MS,
    tracesEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
  });
}

function toSignupBaseUrl(configured: string | undefined): SignupBaseUrl {
  return { url: configured ?? DEFAULT_SIGNUP_BASE_URL, isDefault: configured === undefined };
}
