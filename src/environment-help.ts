import { type Environment, parseEnvironment } from './environment.js';
import { SECRETS } from './secret-files.js';

/** The description of each environment variable in `serve --help`. docs/configuration.md has the details. */
export const DESCRIPTIONS: Readonly<Record<keyof Environment, string>> = {
  HOST: 'address to listen on',
  PORT: 'port to listen on; 0 lets the system choose one',
  DATABASE_URL: 'PostgreSQL server; without it, the embedded database',
  DATABASE_DIRECT_URL: 'PostgreSQL server itself, if DATABASE_URL names a pooler in transaction mode',
  DATABASE_REPLICA_URLS: 'streaming replicas to read events from, separated by commas',
  DATABASE_POOL_SIZE: 'number of connections that requests share',
  STATEMENT_TIMEOUT_MS: "time limit of a request's query; 0 for none",
  DATABASE_SCHEMA: 'own, or unleash for the database of an Unleash server',
  UNLEASH_URL: 'Unleash server whose tokens and sessions are accepted',
  UNLEASH_TOKEN_CACHE_MS: "how long Unleash's response for a token or a session is cached",
  DATA_DIR: 'folder of the embedded database',
  INIT_ADMIN_API_TOKENS: 'secrets of ADMIN tokens to create at the start, separated by commas',
  SIGNUP_BASE_URL: 'beginning of invite links; UNLEASH_URL if unset, else http://localhost:4242',
  SIGNUP_MAX_DAYS: 'how many days an invitation may last; unset for any time',
  LOG_LEVEL: 'fatal, error, warn, info, debug, trace or silent',
  GRAPHIQL: 'whether the IDE is served at /graphiql',
  CONSOLE: 'whether the console is served at /',
  INTROSPECTION: 'whether clients can query the schema',
  GRAPHQL_LIMITS: 'enforce, or warn to only log operations beyond a limit',
  GRAPHQL_MAX_TOKENS: 'most tokens of a document',
  GRAPHQL_MAX_ALIASES: 'most aliases of a document',
  GRAPHQL_MAX_ROOT_FIELDS: 'most root fields of an operation',
  GRAPHQL_MAX_SELECTIONS: 'most selections, with fragments expanded',
  GRAPHQL_MAX_COST: 'highest cost of an operation',
  GRAPHQL_COST_PER_MINUTE: "highest cost of a token's requests in a minute; 0 for no limit",
  TRUSTED_DOCUMENTS: 'off, log or require: whether only listed documents run',
  TRUSTED_DOCUMENTS_FILES: 'files that list the documents, separated by commas',
  FAILED_LOGINS_PER_MINUTE: 'wrong tokens that an address can send in a minute; 0 for no limit',
  TRUSTED_PROXIES: 'addresses and networks of trusted proxies, separated by commas',
  CORS_ORIGINS: 'origins whose pages can read responses and call /mcp, separated by commas',
  MAX_BODY_BYTES: 'largest request body, in bytes',
  REQUEST_TIMEOUT_MS: 'time for a client to send its request',
  FEED_STREAMS_PER_TOKEN: 'streams of the feed that a token can have open',
  FEED_STREAMS: 'streams of the feed that all tokens together can have open',
  IDLE_TIMEOUT_MS: 'time after which a silent connection is closed',
  STOP_DELAY_MS: 'how long to keep serving after a stop signal',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'where to send traces, as OTLP over HTTP',
};

/** Lists the environment variables with their defaults, for `serve --help`. */
export function describeVariables(): string {
  const defaults = parseEnvironment({});
  const width = Math.max(...Object.keys(DESCRIPTIONS).map((name) => name.length)) + 2;
  const rows = Object.entries(DESCRIPTIONS).map(([name, description]) => {
    const byDefault = String(defaults[name as keyof Environment] ?? '');
    return `  ${name.padEnd(width)}${description}${byDefault === '' ? '' : ` (default: ${byDefault})`}`;
  });
  return `\nEnvironment variables (docs/configuration.md has the details):\n${rows.join('\n')}\n\nA secret can be in a file: ${SECRETS.map((name) => `${name}_FILE`).join(', ')}.\n`;
}
