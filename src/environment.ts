import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { isToken } from './auth/secret.js';
import { parseDatabaseUrl } from './database/database-url.js';
import { OperatorError } from './errors.js';
import { BASE_URL_RULE, parseBaseUrl } from './formats/base-url.js';
import { TRUSTED_MODES } from './graphql/trusted-documents.js';
import { readSecretFiles, SECRETS } from './secret-files.js';

export class ConfigError extends OperatorError {}

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
    .regex(/^\d{1,9}$/, 'must be a whole number of at most nine digits')
    .transform(Number)
    .default(byDefault);

const postgresUrl = z.string().transform((text, context) => {
  const parsed = parseDatabaseUrl(text);
  if ('url' in parsed) return parsed.url;
  context.addIssue(parsed.problem);
  return z.NEVER;
});

export type Environment = z.infer<typeof environment>;

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
    // No client could send a token that breaks this rule.
    .refine(
      (tokens) => tokens.every((token) => isToken(token) && !token.includes(' ')),
      'must be comma-separated tokens of visible ASCII without blanks, none of which is Bearer',
    ),
  SIGNUP_BASE_URL: baseUrl.optional(),
  SIGNUP_MAX_DAYS: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, 'must be a whole number of days from 1 on')
    .transform(Number)
    .optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }).default('info'),
  GRAPHIQL: flag('true'),
  CONSOLE: flag('true'),
  INTROSPECTION: flag('true'),
  GRAPHQL_LIMITS: z.enum(['enforce', 'warn'], { error: 'must be enforce or warn' }).default('enforce'),
  GRAPHQL_MAX_TOKENS: count(2_000),
  GRAPHQL_MAX_ALIASES: count(30),
  GRAPHQL_MAX_ROOT_FIELDS: count(20),
  GRAPHQL_MAX_SELECTIONS: count(3_000).refine((selections) => selections > 0, 'must be at least 1'),
  GRAPHQL_MAX_COST: count(5_000),
  GRAPHQL_COST_PER_MINUTE: count(1_000_000),
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
  // The default is far above the size of every request of this API, and large enough for documents of the IDE.
  MAX_BODY_BYTES: count(100 * 1024).refine((bytes) => bytes > 0, 'must be at least 1'),
  REQUEST_TIMEOUT_MS: count(10_000),
  FEED_STREAMS_PER_TOKEN: count(20),
  FEED_STREAMS: count(1_000),
  IDLE_TIMEOUT_MS: count(60_000),
  STOP_DELAY_MS: count(0),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/, error: 'must be a URL such as http://127.0.0.1:4318' }).optional(),
});

/** Whether the gateway reads an environment variable of this name. */
export function isEnvironmentVariable(name: string): boolean {
  return Object.hasOwn(environment.shape, name);
}

/** The secrets that the gateway reads. MIRROR_TOKEN is read only by the command `mirror`. */
const GATEWAY_SECRETS = SECRETS.filter((name) => name !== 'MIRROR_TOKEN');

/**
 * Parses environment variables, and the files of secrets (secret-files.ts). An empty variable counts as unset.
 * @throws ConfigError that names every wrong variable. It never contains a value, which may be a secret.
 */
export function parseEnvironment(env: NodeJS.ProcessEnv): Environment {
  const withSecrets = readSecretFiles(env, GATEWAY_SECRETS);
  const given = Object.fromEntries(Object.entries(withSecrets).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  if (parsed.success) {
    const conflicts = findConflicts(parsed.data);
    if (conflicts.length === 0) return parsed.data;
    throw toConfigError(conflicts);
  }
  const wrong = new Set(parsed.error.issues.map(({ path }) => path[0]));
  // The error also lists conflicts among the other variables. To find them, the defaults replace the wrong values.
  const others = environment.parse(Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.has(name))));
  const conflicts = findConflicts(others).filter((conflict) => ![...wrong].some((name) => conflict.includes(String(name))));
  throw toConfigError([...parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`), ...conflicts]);
}

function toConfigError(problems: readonly string[]): ConfigError {
  return new ConfigError(`The configuration is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
}

/** Returns the problems of values that are valid alone but not together. */
function findConflicts(values: Environment): string[] {
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
  return problems;
}

function problemsBesideUnleash(values: Environment): string[] {
  const problems: string[] = [];
  if (values.DATABASE_REPLICA_URLS.length > 0)
    problems.push(
      'DATABASE_REPLICA_URLS requires DATABASE_SCHEMA own. To read from a replica of the Unleash database, name it in DATABASE_URL',
    );
  if (values.DATABASE_URL === undefined)
    problems.push('DATABASE_URL must name the Unleash database when DATABASE_SCHEMA is unleash');
  if (values.UNLEASH_URL === undefined && values.INIT_ADMIN_API_TOKENS.length === 0) {
    problems.push(
      'UNLEASH_URL or INIT_ADMIN_API_TOKENS must be set when DATABASE_SCHEMA is unleash, because no other tokens are accepted',
    );
  }
  return problems;
}
