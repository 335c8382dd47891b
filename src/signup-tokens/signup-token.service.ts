import { randomBytes } from 'node:crypto';
import DataLoader from 'dataloader';
import { findAdminRefusal, requireAdmin } from '../auth/caller.js';
import { type GatewayError, Problems } from '../errors.js';
import { isStorableText, TEXT_RULE } from '../formats/text.js';
import type { InTurn } from '../limits/in-turn.js';
import type { RequestContext } from '../request-context.js';
import { isUsable, type SignupToken } from './signup-token.js';
import type { SignupTokenStore } from './signup-token.store.js';
import { EXPIRY_RULE_OF_UNLEASH, findProblems, hashOf, type SignupTokenRequest } from './signup-token-request.js';

export type SignupTokenService = ReturnType<typeof createSignupTokenService>;

/** Users who sign up with a public signup token get this role (spec 4.3). */
const INVITED_ROLE = 'Viewer';

const DEFAULT_URL_WARNING =
  'An invite link was created that leads to the default URL, because neither SIGNUP_BASE_URL nor UNLEASH_URL is set. ' +
  'People can join only through a server that knows the token. Set SIGNUP_BASE_URL to the URL of that server.';

/** The beginning of invite links. */
export interface SignupBaseUrl {
  /** Without a slash at the end. */
  readonly url: string;
  /** Whether `url` is the default because none is configured. The server at that URL probably does not know the tokens. */
  readonly isDefault: boolean;
}

type Context = Pick<RequestContext, 'caller' | 'log' | 'signal'>;

/** Reads tokens by their secrets; null for a secret without a token. */
type Reader = DataLoader<string, SignupToken | null>;

/** Creates and reads public signup tokens (spec 4.3). @param maxDays how many days a token may last; null for any time */
export function createSignupTokenService(
  store: SignupTokenStore,
  inTurn: InTurn,
  baseUrl: SignupBaseUrl,
  maxDays: number | null = null,
) {
  const readers = new WeakMap<Context, Reader>();
  /** For each request, the error that a creation would get. It is cached because several fields of a request ask for it. */
  const refusals = new WeakMap<Context, Promise<GatewayError | null>>();
  /**
   * Returns the reader of a request. It reads all tokens of the request in one turn (limits/in-turn.ts), because Prisma reads
   * them together. The turn weighs as much as two tasks, because Prisma uses up to two connections.
   */
  const readerOf = (context: Context): Reader => {
    const { caller, signal } = context;
    const reader =
      readers.get(context) ??
      new DataLoader((secrets) =>
        inTurn(caller.id, true, signal, () => Promise.all(secrets.map((secret) => store.find(secret)))),
      );
    readers.set(context, reader);
    return reader;
  };
  return {
    /** Whether a creation accepts an idempotency key. */
    acceptsKeys: store.storesKeys,

    /** Returns the error that a creation by this caller would get, or null if the caller may create tokens in this database. */
    findRefusal(context: Context): Promise<GatewayError | null> {
      const { caller, signal } = context;
      const found =
        refusals.get(context) ??
        Promise.resolve(findAdminRefusal(caller) ?? inTurn(caller.id, false, signal, () => store.findRefusal()));
      refusals.set(context, found);
      return found;
    },

    /**
     * Creates a token, and in the same transaction the event that records it. A retry with the same `idempotencyKey` gets the
     * first response again.
     */
    async create(
      { caller, log, signal }: Context,
      request: SignupTokenRequest,
      idempotencyKey: string | null,
    ): Promise<SignupToken> {
      requireAdmin(caller);
      const problems = findProblems(request, idempotencyKey, maxDays);
      const secret = randomBytes(16).toString('hex');
      const createdBy = caller.email ?? caller.name;
      const token = { secret, ...request, url: `${baseUrl.url}/new-user?invite=${secret}`, createdBy };
      const event = { type: 'public-signup-token-created', createdBy, createdByUserId: caller.userId, data: toEventData };
      const idempotency =
        idempotencyKey === null ? null : { caller: caller.id, key: idempotencyKey, requestHash: hashOf(request) };
      const created = await inTurn(caller.id, false, signal, async () => {
        if (await store.isNeverAccepted(request.expiresAt)) problems.add('expiresAt', EXPIRY_RULE_OF_UNLEASH);
        problems.throwIfAny();
        return store.create(token, INVITED_ROLE, event, idempotency);
      });
      const isRetry = created.respondedAt !== undefined;
      if (baseUrl.isDefault && !isRetry) log.warn({ signupBaseUrl: baseUrl.url }, DEFAULT_URL_WARNING);
      return created;
    },

    /** Returns the token with this secret, or null if there is none. */
    async find(context: Context, secret: string): Promise<SignupToken | null> {
      requireAdmin(context.caller);
      const problems = new Problems();
      if (!isStorableText(secret)) problems.add('secret', TEXT_RULE);
      problems.throwIfAny();
      return readerOf(context).load(secret);
    },
  };
}

/** Omits `secret` and `url`, since a caller who can read events must not be able to invite users. */
function toEventData(token: SignupToken) {
  const { name, expiresAt, createdAt, createdBy, role } = token;
  return {
    name,
    enabled: isUsable(token, createdAt),
    expiresAt: expiresAt.toISOString(),
    createdAt: createdAt.toISOString(),
    createdBy,
    users: [],
    role: { id: role.id, type: role.type, name: role.name },
  };
}
