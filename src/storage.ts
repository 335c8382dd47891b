import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { createApiTokenService } from './auth/api-token.service.js';
import { createApiTokenStore } from './auth/api-token.store.js';
import type { FindersByKind } from './auth/authenticate.js';
import { createConfiguredAdmins } from './auth/configured-admins.js';
import { createTokenCache } from './auth/token-cache.js';
import { createUnleashUsers, findUnleashProblem } from './auth/unleash-users.js';
import type { Config } from './config.js';
import { buildEventIndexes } from './database/indexes/build-indexes.js';
import { isConnectionLost, repeatAfterHandover } from './database/lost-connection.js';
import { migrate, rejectIncomplete } from './database/migrations/migrate.js';
import type { Database } from './database/open.js';
import { explainToOperator } from './database/operator-message.js';
import { foldsCase, readStatementTimeoutMs } from './database/probes.js';
import { inspectUnleashDatabase } from './database/unleash-database.js';
import { createEventStore, type EventStore } from './events/event.store.js';
import { EVENT_COLUMN_NAMES } from './events/event-columns.store.js';
import { type CreateLimiter, createProcessLimiters, createSharedLimiters } from './limits/limiter.store.js';
import { type MirrorWatch, NO_MIRROR, watchMirror } from './log-copy/mirror-age.js';
import { GATEWAY_EPOCH, UNLEASH_EPOCH } from './log-version/epoch.store.js';
import { hasCachedSequence } from './log-version/watermark.store.js';
import { createSignupTokenStore, type SignupTokenStore } from './signup-tokens/signup-token.store.js';

/** The stores and token lookups of the services, on the gateway's own database or on that of an Unleash server. */
export interface Storage {
  readonly events: EventStore;
  readonly signupTokens: SignupTokenStore;
  /** The lookups that find a caller by token or by session. Each lookup is tried only if the ones before it find no caller. */
  readonly callers: FindersByKind;
  /** Creates the counters of the limits per minute. */
  readonly createLimiter: CreateLimiter;
  /** Watches the age of a log that is a copy of an Unleash log. @param everyMs the time between two reads, if not the default */
  watchMirror(everyMs?: number): Promise<MirrorWatch>;
  /** Builds missing indexes of the event log in the background, while the gateway serves. @returns a function that stops it */
  startBuildingIndexes(): () => Promise<void>;
  /** Creates an ADMIN token if no token exists and no Unleash server is configured. Returns its secret, or null. */
  createFirstToken(): Promise<string | null>;
}

const CASE_WARNING =
  'The locale of the database ignores case only within ASCII, so free-text search treats É and é as different letters. ' +
  'Create the database with LC_CTYPE C.UTF-8 or a locale of your language to avoid this.';

const TIMEOUT_WARNING =
  'The pooler in DATABASE_URL sets no time limit for queries. Set one for the role: ALTER ROLE … SET statement_timeout = 10000.';

const SEQUENCE_WARNING =
  'The sequence of the event ids has a cache greater than 1. The feed and exports are not available, and totals are slower. ' +
  'Set it to 1: ALTER SEQUENCE events_id_seq CACHE 1. Then restart the programs that add events.';

/** The length of 24 random bytes in Base64. */
const MIN_SECRET_LENGTH = 32;

const SECRET_WARNING =
  `INIT_ADMIN_API_TOKENS contains a secret of fewer than ${MIN_SECRET_LENGTH} characters, which can be guessed. ` +
  'Replace it with a random one, such as the output of: openssl rand -hex 32';

/** Prepares the database for serving. @throws an error whose message says what to do if the database cannot be used */
export async function prepareStorage(database: Database, config: Config, log: FastifyBaseLogger): Promise<Storage> {
  const prepare = config.databaseSchema === 'own' ? prepareOwn : prepareUnleash;
  const storage = await repeatAfterHandover(database, () => prepare(database, config, log));
  if (config.initAdminApiTokens.some(({ length }) => length < MIN_SECRET_LENGTH)) log.warn(SECRET_WARNING);
  if (!(await foldsCase(database.read))) log.warn(CASE_WARNING);
  if (database.kind === 'PostgreSQL' && config.statementTimeoutMs > 0 && (await readStatementTimeoutMs(database.read)) === 0)
    log.warn(TIMEOUT_WARNING);
  if (await hasCachedSequence(database.read)) log.warn(SEQUENCE_WARNING);
  const problem = config.unleash && (await findUnleashProblem(config.unleash.url));
  if (problem) log.warn(`Tokens of the server at UNLEASH_URL cannot be checked: ${problem}.`);
  if (!config.unleash) return storage;
  const users = createUnleashUsers(config.unleash);
  return { ...storage, callers: { token: [...storage.callers.token, users.token], session: [users.session] } };
}

async function prepareOwn(database: Database, { initAdminApiTokens, unleash }: Config, log: FastifyBaseLogger): Promise<Storage> {
  await migrate(database);
  await rejectIncomplete(database);
  const apiTokenStore = createApiTokenStore(database);
  const apiTokens = createApiTokenService(apiTokenStore);
  await apiTokens.ensureAdmins(initAdminApiTokens);
  return {
    events: createEventStore(database.read, GATEWAY_EPOCH),
    signupTokens: createSignupTokenStore(database.prisma, { isOwn: true }),
    callers: { token: [createTokenCache(apiTokenStore)], session: [] },
    createLimiter: createSharedLimiters(database),
    watchMirror: (everyMs) => watchMirror(database.read, everyMs),
    // After an interrupted import, the next start builds the missing indexes. Searches are slow until then.
    startBuildingIndexes: () => startBuildingIndexes(database, log),
    createFirstToken: async () => (unleash ? null : apiTokens.createFirst()),
  };
}

/** The delay before an index build that lost its connection starts again. The delay doubles each time, up to the longest one. */
const REBUILD_AFTER_MS = 5_000;
const LONGEST_REBUILD_AFTER_MS = 300_000;

function startBuildingIndexes(database: Database, log: FastifyBaseLogger): () => Promise<void> {
  const stop = new AbortController();
  const build = async () => {
    for (let waitMs = REBUILD_AFTER_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_REBUILD_AFTER_MS)) {
      try {
        return await buildEventIndexes(database, stop.signal);
      } catch (error) {
        if (stop.signal.aborted) return;
        const canRetry = isConnectionLost(error);
        if (canRetry)
          log.warn(`The build of the indexes of the event log lost its connection. It starts again in ${waitMs / 1000} s.`);
        else return logFailedBuild(log, error);
      }
      await wait(waitMs, undefined, { signal: stop.signal });
    }
  };
  // When the gateway stops, the wait between two attempts rejects. This rejection is ignored.
  const built = build().catch(() => undefined);
  return () => {
    stop.abort();
    return built;
  };
}

function logFailedBuild(log: FastifyBaseLogger, error: unknown): void {
  const sentence = explainToOperator(error);
  log.error(sentence === null ? { err: error } : {}, `The indexes of the event log could not be built. ${sentence ?? ''}`.trim());
}

/** Prepares the database of an Unleash server. The gateway adds only signup tokens and their events, and changes nothing else. */
async function prepareUnleash(database: Database, { initAdminApiTokens }: Config, log: FastifyBaseLogger): Promise<Storage> {
  const { absentUserFields, unwritable } = await inspectUnleashDatabase(database.read, EVENT_COLUMN_NAMES);
  if (absentUserFields.length > 0)
    log.warn(
      { absentUserFields },
      'These fields of users are null: the database lacks their columns, or the role may not read them.',
    );
  if (unwritable.length > 0)
    log.warn({ unwritable }, 'Signup tokens cannot be created: the role may not insert into these tables. Reads are served.');
  return {
    events: createEventStore(database.read, UNLEASH_EPOCH),
    signupTokens: createSignupTokenStore(database.prisma, { isOwn: false, absentUserFields, unwritable }),
    callers: { token: [createConfiguredAdmins(initAdminApiTokens)], session: [] },
    createLimiter: createProcessLimiters,
    watchMirror: async () => NO_MIRROR,
    startBuildingIndexes: () => async () => undefined,
    createFirstToken: async () => null,
  };
}
