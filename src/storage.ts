import type { FastifyBaseLogger } from 'fastify';
import { createApiTokenService } from './auth/api-token.service.js';
import { createApiTokenStore } from './auth/api-token.store.js';
import type { FindCaller } from './auth/authenticate.js';
import { createConfiguredAdmins, createOwnTokens } from './auth/own-tokens.js';
import { createUnleashUsers, findUnleashProblem } from './auth/unleash-users.js';
import type { Config } from './config.js';
import { buildEventIndexes } from './database/indexes/build-indexes.js';
import { migrate, refuseIncomplete } from './database/migrations/migrate.js';
import type { Database } from './database/open.js';
import { foldsCase, readStatementTimeoutMs } from './database/probes.js';
import { inspectUnleashDatabase } from './database/unleash-database.js';
import { createEventStore, type EventStore } from './events/event.store.js';
import { type CreateLimiter, createProcessLimiters, createSharedLimiters } from './limits/limiter.store.js';
import { GATEWAY_EPOCH, UNLEASH_EPOCH } from './log-version/epoch.store.js';
import { createSignupTokenStore, type SignupTokenStore } from './signup-tokens/signup-token.store.js';

/** What the gateway's services stand on: a database of its own, or that of a server beside it. */
export interface Storage {
  readonly events: EventStore;
  readonly signupTokens: SignupTokenStore;
  /** Who knows the owner of a token, in the order in which they are asked. */
  readonly callers: readonly FindCaller[];
  /** Counts in which limits are kept. */
  readonly createLimiter: CreateLimiter;
  /** What the first start leaves to do while the gateway serves already. */
  finish(): Promise<void>;
  /** The secret of an ADMIN token where nobody could get in without; else null. */
  createFirstToken(): Promise<string | null>;
}

const CASE_WARNING =
  'The locale of the database does not know capitals outside of ASCII, so that free-text search takes É and é for different letters. ' +
  'A database that was created with LC_CTYPE C.UTF-8 or a locale of your language does not.';

const TIMEOUT_WARNING =
  'The pooler in DATABASE_URL lets queries run for any time. Set a limit for the role: ALTER ROLE … SET statement_timeout = 10000.';

/** Makes the database ready to be served, or refuses it with a sentence that says what to do. */
export async function prepareStorage(database: Database, config: Config, log: FastifyBaseLogger): Promise<Storage> {
  const prepare = config.databaseSchema === 'own' ? prepareOwn : prepareUnleash;
  const storage = await prepare(database, config, log);
  if (!(await foldsCase(database.read))) log.warn(CASE_WARNING);
  if (database.kind === 'PostgreSQL' && config.statementTimeoutMs > 0 && (await readStatementTimeoutMs(database.read)) === 0)
    log.warn(TIMEOUT_WARNING);
  const problem = config.unleash && (await findUnleashProblem(config.unleash.url));
  if (problem) log.warn(`Tokens of the server at UNLEASH_URL cannot be checked: ${problem}.`);
  return { ...storage, callers: [...storage.callers, ...(config.unleash ? [createUnleashUsers(config.unleash)] : [])] };
}

async function prepareOwn(database: Database, { initAdminApiTokens, unleash }: Config): Promise<Storage> {
  await migrate(database);
  await refuseIncomplete(database);
  const apiTokenStore = createApiTokenStore(database);
  const apiTokens = createApiTokenService(apiTokenStore);
  await apiTokens.ensureAdmins(initAdminApiTokens);
  return {
    events: createEventStore(database.read, GATEWAY_EPOCH),
    signupTokens: createSignupTokenStore(database.prisma, { isOwn: true }),
    callers: [createOwnTokens(apiTokenStore)],
    createLimiter: createSharedLimiters(database),
    // An import that was stopped leaves them to the next start. Searches are slow until they are there.
    finish: () => buildEventIndexes(database),
    createFirstToken: async () => (unleash ? null : apiTokens.createFirst()),
  };
}

/** Nothing is changed in such a database but by a creation. */
async function prepareUnleash(database: Database, { initAdminApiTokens }: Config, log: FastifyBaseLogger): Promise<Storage> {
  const { absentUserFields, unwritable } = await inspectUnleashDatabase(database.read);
  if (absentUserFields.length > 0)
    log.warn(
      { absentUserFields },
      'These fields of users are null: the database has no such columns, or the role may not read them.',
    );
  if (unwritable.length > 0)
    log.warn({ unwritable }, 'Signup tokens cannot be created: the role may not insert into these. Reads are served.');
  return {
    events: createEventStore(database.read, UNLEASH_EPOCH),
    signupTokens: createSignupTokenStore(database.prisma, { isOwn: false, absentUserFields }),
    callers: [createConfiguredAdmins(initAdminApiTokens)],
    createLimiter: createProcessLimiters,
    finish: async () => undefined,
    createFirstToken: async () => null,
  };
}
