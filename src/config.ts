import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import type { DatabaseLocation } from './database/open.js';
import { BASE_URL_RULE, parseBaseUrl } from './formats/base-url.js';
import type { CostLimits } from './graphql/cost-limit.js';
import type { DocumentLimits } from './graphql/document-limits.js';
import { TRUSTED_MODES, type TrustedMode } from './graphql/trusted-documents.js';
import type { HttpConfig } from './http/server.js';

/** The configuration from the environment, parsed once. */
export interface Config {
  readonly host: string;
  /** 0 lets the operating system choose a port. */
  readonly port: number;
  readonly database: DatabaseLocation;
  /** Selects the gateway's own tables (`own`) or those of an Unleash server (`unleash`), which the gateway does not alter. */
  readonly databaseSchema: 'own' | 'unleash';
  /** The Unleash server that is asked for tokens that are not in the gateway's database; null for none. */
  readonly unleash: { readonly url: string; readonly cacheMs: number } | null;
  /** Streaming replicas that events are read from. */
  readonly replicaUrls: readonly string[];
  /** The number of connections to PostgreSQL that requests share. */
  readonly poolSize: number;
  /** The time limit of a request's query on PostgreSQL; 0 for none. */
  readonly statementTimeoutMs: number;
  /** Secrets of ADMIN tokens that exist from the start. */
  readonly initAdminApiTokens: readonly string[];
  /** The beginning of invite links, without a slash at the end. */
  readonly signupBaseUrl: string;
  readonly logLevel: string;
  readonly graphiql: boolean;
  /** Whether clients may query the schema. */
  readonly introspection: boolean;
  /** Whether queries that are sent repeatedly run as compiled functions (graphql-jit). */
  readonly compileQueries: boolean;
  /** The limits of a GraphQL document's size and cost. */
  readonly graphqlLimits: DocumentLimits & CostLimits;
  /** The cost limit per API token and minute; 0 for none. */
  readonly costPerMinute: number;
  /** The limit of wrong tokens per client address and minute; 0 for none. */
  readonly failedLoginsPerMinute: number;
  readonly http: HttpConfig;
  /** The files list the documents that clients may send by id. The mode says whether they must. */
  readonly trustedDocuments: { readonly mode: TrustedMode; readonly files: readonly string[] };
  /** How long a stopping gateway keeps serving while it reports that it is not ready, so that a load balancer notices. */
  readonly stopDelayMs: number;
  /** The endpoint for traces (OTLP over HTTP); null disables them. */
  readonly tracesEndpoint: string | null;
}

export class ConfigError extends Error {}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const baseUrl = z.string().transform((text, context) => {
  const url = parseBaseUrl(text);
  if (url !== null) return url;
  context.addIssue(BASE_URL_RULE);
  return z.NEVER;
});

const toList = (text: string): string[] => text.split(',').flatMap((part) => part.trim() || []);

const flag = (byDefault: 'true' | 'false') =>
  z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default(byDefault)
    .transform((value) => value === 'true');

const count = (byDefault: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .default(byDefault);

const postgresUrl = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must be a URL such as postgresql://user:password@host:5432/database',
});

const DEFAULT_SIGNUP_BASE_URL = 'http://localhost:4242';

const environment = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: z
    .string()
    .refine((port) => /^\d{1,5}$/.test(port) && Number(port) <= 65_535, 'must be a port number from 0 to 65535')
    .transform(Number)
    .default(4000),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  DATABASE_REPLICA_URLS: z.string().default('').transform(toList).pipe(z.array(postgresUrl)),
  DATABASE_POOL_SIZE: count(10).refine((size) => size > 0, 'must be at least 1'),
  STATEMENT_TIMEOUT_MS: count(10_000),
  DATABASE_SCHEMA: z.enum(['own', 'unleash'], { error: 'must be own or unleash' }).default('own'),
  UNLEASH_URL: baseUrl.optional(),
  UNLEASH_TOKEN_CACHE_MS: count(10_000),
  DATA_DIR: z.string().default('./data'),
  INIT_ADMIN_API_TOKENS: z
    .string()
    .default('')
    .transform(toList)
    // A client can send only such a token in a header. Any other would lock every administrator out.
    .refine((tokens) => tokens.every((token) => /^[\x21-\x7e]+$/.test(token)), 'must be comma-separated tokens of visible ASCII'),
  SIGNUP_BASE_URL: baseUrl.optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }).default('info'),
  GRAPHIQL: flag('true'),
  INTROSPECTION: flag('true'),
  GRAPHQL_LIMITS: z.enum(['enforce', 'warn'], { error: 'must be enforce or warn' }).default('enforce'),
  GRAPHQL_MAX_TOKENS: count(2_000),
  GRAPHQL_MAX_ALIASES: count(30),
  GRAPHQL_MAX_ROOT_FIELDS: count(20),
  GRAPHQL_MAX_SELECTIONS: count(3_000).refine((selections) => selections > 0, 'must be at least 1'),
  GRAPHQL_MAX_COST: count(5_000),
  GRAPHQL_COST_PER_MINUTE: count(1_000_000),
  GRAPHQL_COMPILE: flag('true'),
  TRUSTED_DOCUMENTS: z.enum(TRUSTED_MODES, { error: `must be one of ${TRUSTED_MODES.join(', ')}` }).default('off'),
  TRUSTED_DOCUMENTS_FILES: z.string().default('').transform(toList),
  FAILED_LOGINS_PER_MINUTE: count(30),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform(toList)
    .refine(
      (ranges) => ranges.every((range) => ipaddr.isValid(range) || ipaddr.isValidCIDR(range)),
      'must be comma-separated addresses or networks such as 10.0.0.0/8',
    ),
  CORS_ORIGINS: z
    .string()
    .default('')
    .transform(toList)
    .refine(
      (origins) => origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin),
      'must be comma-separated origins such as https://portal.example.com',
    ),
  // The default is far above every request of this API, and fits the IDE's documents.
  MAX_BODY_BYTES: count(100 * 1024).refine((bytes) => bytes > 0, 'must be at least 1'),
  REQUEST_TIMEOUT_MS: count(10_000),
  IDLE_TIMEOUT_MS: count(60_000),
  STOP_DELAY_MS: count(0),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/, error: 'must be a URL such as http://127.0.0.1:4318' }).optional(),
});

/**
 * Reads the configuration from environment variables. An empty variable counts as unset.
 * @throws ConfigError that names every wrong variable. It never contains a value, which may be a secret.
 */
export function parseConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
    throw toConfigError(problems);
  }
  const values = parsed.data;
  rejectUnusable(values);
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
    signupBaseUrl: values.SIGNUP_BASE_URL ?? values.UNLEASH_URL ?? DEFAULT_SIGNUP_BASE_URL,
    logLevel: values.LOG_LEVEL,
    graphiql: values.GRAPHIQL,
    introspection: values.INTROSPECTION,
    compileQueries: values.GRAPHQL_COMPILE,
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

/** Rejects values that are valid alone but not together. */
function rejectUnusable(values: z.infer<typeof environment>): void {
  const problems: string[] = [];
  if (values.TRUSTED_DOCUMENTS !== 'off' && values.TRUSTED_DOCUMENTS_FILES.length === 0)
    problems.push(
      `TRUSTED_DOCUMENTS_FILES must name the lists of documents when TRUSTED_DOCUMENTS is ${values.TRUSTED_DOCUMENTS}`,
    );
  for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URLS'] as const) {
    const isGiven = (values[name] ?? '').length > 0;
    if (isGiven && values.DATABASE_URL === undefined) problems.push(`${name} requires DATABASE_URL`);
  }
  if (values.DATABASE_SCHEMA === 'unleash') problems.push(...problemsBesideUnleash(values));
  if (problems.length > 0) throw toConfigError(problems);
}

function problemsBesideUnleash(values: z.infer<typeof environment>): string[] {
  const problems: string[] = [];
  if (values.DATABASE_REPLICA_URLS.length > 0)
    problems.push(
      'DATABASE_REPLICA_URLS requires DATABASE_SCHEMA own. To read from a replica of the Unleash database, name it in DATABASE_URL',
    );
  if (values.DATABASE_URL === undefined)
    problems.push('DATABASE_URL must name the Unleash database when DATABASE_SCHEMA is unleash');
  if (values.UNLEASH_URL === undefined && values.INIT_ADMIN_API_TOKENS.length === 0) {
    problems.push(
      'UNLEASH_URL must name the Unleash server when DATABASE_SCHEMA is unleash: only its tokens and INIT_ADMIN_API_TOKENS are accepted',
    );
  }
  return problems;
}

function toConfigError(problems: readonly string[]): ConfigError {
  return new ConfigError(`The configuration is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
}
