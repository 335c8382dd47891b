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

/** An API token as its owner may see it: all but the secret, which nobody can see again. */
export interface ApiTokenSummary extends ApiTokenRequest {
  /** The first twelve digits of its hash: names it where two have one name. */
  readonly id: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

export type ApiTokenService = ReturnType<typeof createApiTokenService>;

/** Handing out, listing and revoking the gateway's API tokens. */
export function createApiTokenService(store: Omit<ApiTokenStore, 'find' | 'noteUse'>) {
  return {
    /** @returns the secret, which is kept nowhere else */
    async create(request: ApiTokenRequest): Promise<string> {
      const secret = newSecret();
      await store.create(toStored(secret, request));
      return secret;
    },

    /** Makes these secrets ADMIN tokens of all projects, whatever they were before. */
    async ensureAdmins(secrets: readonly string[]): Promise<void> {
      for (const secret of secrets) await store.put(toStored(secret, adminNamed('admin')));
    },

    /** @returns the secret of an ADMIN token if there was no token at all, so that a new database can be used */
    async createFirst(): Promise<string | null> {
      const secret = newSecret();
      return (await store.createFirst(toStored(secret, adminNamed('first-admin')))) ? secret : null;
    },

    list: async (): Promise<ApiTokenSummary[]> => (await store.list()).map(toSummary),

    /**
     * Ends the token of that name or id: within a quarter of a second, at every gateway on the database.
     * @throws GatewayError NotFoundError, or BadDataError if more than one has that name
     */
    async revoke(nameOrId: string): Promise<ApiTokenSummary> {
      const tokens = await store.list();
      const ofId = tokens.filter(({ hash }) => idOf(hash) === nameOrId);
      const [token, another] = ofId.length > 0 ? ofId : tokens.filter(({ name }) => name === nameOrId);
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
