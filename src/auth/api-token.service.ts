import { GatewayError } from '../errors.js';
import type { ApiToken, ApiTokenStore } from './api-token.store.js';
import type { Role } from './caller.js';
import { hashSecret, newSecret } from './secret.js';

export interface ApiTokenRequest {
  readonly name: string;
  readonly role: Role;
  readonly projects: 'all' | readonly string[];
  readonly expiresAt: Date | null;
}

/** An API token without its secret, which is shown only once. */
export interface ApiTokenSummary extends ApiTokenRequest {
  /** The first twelve hexadecimal digits of the hash. They tell tokens of the same name apart. */
  readonly id: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

export type ApiTokenService = ReturnType<typeof createApiTokenService>;

/** Creates, lists and revokes the gateway's API tokens. token-cache.ts decides how long a revoked token still works. */
export function createApiTokenService(store: Omit<ApiTokenStore, 'find' | 'noteUse'>) {
  return {
    /** @returns the secret, of which only the hash is stored */
    async create(request: ApiTokenRequest): Promise<string> {
      const secret = newSecret();
      await store.create(toStored(secret, request));
      return secret;
    },

    /**
     * Creates a token like `create`, under a name that no other valid token has, so that the name identifies it.
     * @throws GatewayError BadDataError while another token of that name is valid
     */
    async createUnique(request: ApiTokenRequest): Promise<string> {
      const secret = newSecret();
      if (await store.createIfNameIsFree(toStored(secret, request))) return secret;
      throw new GatewayError(
        'BadDataError',
        `A valid API token has the name ${request.name}. Revoke it first (token revoke), or choose another name.`,
      );
    },

    /** Ensures that these secrets are ADMIN tokens for all projects, whatever rights they had before. */
    async ensureAdmins(secrets: readonly string[]): Promise<void> {
      for (const secret of secrets) await store.put(toStored(secret, adminNamed('admin')));
    },

    /** Creates an ADMIN token if there is no token at all, so that a new database can be used. @returns its secret, or null */
    async createFirst(): Promise<string | null> {
      const secret = newSecret();
      return (await store.createFirst(toStored(secret, adminNamed('first-admin')))) ? secret : null;
    },

    list: async (): Promise<ApiTokenSummary[]> => (await store.list()).map(toSummary),

    /**
     * Revokes the token with this name or id. A gateway may accept it for another quarter of a second, until its cache entry
     * expires (token-cache.ts). If a valid token has the name, expired tokens with the same name are ignored.
     * @throws GatewayError NotFoundError without such a token, or BadDataError if several tokens have the name
     */
    async revoke(nameOrId: string): Promise<ApiTokenSummary> {
      const tokens = await store.list();
      const withId = tokens.filter(({ hash }) => idOf(hash) === nameOrId);
      const withName = tokens.filter(({ name }) => name === nameOrId);
      const valid = withName.filter(({ expiresAt }) => expiresAt === null || expiresAt > new Date());
      const [token, another] = [withId, valid, withName].find((found) => found.length > 0) ?? [];
      if (!token) throw new GatewayError('NotFoundError', `There is no API token with the name or id ${nameOrId}.`);
      if (another) {
        throw new GatewayError(
          'BadDataError',
          `More than one API token has the name ${nameOrId}. Give the id that "token list" shows.`,
        );
      }
      await store.remove(token.hash);
      return toSummary(token);
    },
  };
}

function adminNamed(name: string): ApiTokenRequest {
  return { name, role: 'ADMIN', projects: 'all', expiresAt: null };
}

function toStored(secret: string, { projects, ...rest }: ApiTokenRequest) {
  return { hash: hashSecret(secret), ...rest, projects: projects === 'all' ? ['*'] : [...projects] };
}

function toSummary({ hash, projects, ...rest }: ApiToken): ApiTokenSummary {
  return { id: idOf(hash), ...rest, projects: projects.includes('*') ? 'all' : projects };
}

function idOf(hash: string): string {
  return hash.slice(0, 12);
}
