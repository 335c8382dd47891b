import DataLoader from 'dataloader';
import type { Database } from '../database/open.js';
import { type ApiToken, Prisma } from '../generated/prisma/client.js';

export type { ApiToken };
/** The fields of a token that authentication needs. */
export interface StoredApiToken extends Omit<ApiToken, 'createdAt'> {
  /** Whether the log is a copy of an Unleash log, in which some events contain the secrets of invite links. */
  readonly isOfMirror: boolean;
}
export type NewApiToken = Pick<ApiToken, 'hash' | 'name' | 'role' | 'projects' | 'expiresAt'>;
export type ApiTokenStore = ReturnType<typeof createApiTokenStore>;

/** Stores the gateway's API tokens by the hash of their secret. */
export function createApiTokenStore({ prisma, read }: Pick<Database, 'prisma' | 'read'>) {
  const byHash = new DataLoader<string, StoredApiToken | null>(
    async (hashes) => {
      const tokens = await read<StoredApiToken>(
        Prisma.sql`
          SELECT hash, name, role::text AS role, projects, expires_at AS "expiresAt", last_used_at AS "lastUsedAt",
            EXISTS (SELECT FROM gateway_mirror) AS "isOfMirror"
          FROM gateway_api_token WHERE hash = ANY(${hashes}::text[])`,
        { isPrepared: true },
      );
      return hashes.map((hash) => tokens.find((token) => token.hash === hash) ?? null);
    },
    // Requests that arrive together share one query. Nothing is cached here (token-cache.ts has the cache).
    { cache: false, batchScheduleFn: (load) => setImmediate(load) },
  );
  return {
    find: (hash: string): Promise<StoredApiToken | null> => byHash.load(hash),

    list: (): Promise<ApiToken[]> => prisma.apiToken.findMany({ orderBy: [{ createdAt: 'asc' }, { hash: 'asc' }] }),

    async create(token: NewApiToken): Promise<void> {
      await prisma.apiToken.create({ data: token });
    },

    /**
     * Creates the token unless a valid token has the same name. Of two commands that run at once, only one creates it.
     * @returns whether it was created
     */
    createIfNameIsFree(token: NewApiToken): Promise<boolean> {
      const isValid = { OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] };
      return createUnless(prisma, token, { name: token.name, ...isValid });
    },

    /** Gives the token exactly these rights. Writes nothing if it has them, so a gateway can start on a read-only database. */
    async put({ hash, ...rights }: NewApiToken): Promise<void> {
      const unchanged = await prisma.apiToken.count({ where: { hash, ...rights, projects: { equals: rights.projects } } });
      if (unchanged > 0) return;
      await prisma.apiToken.upsert({ where: { hash }, create: { hash, ...rights }, update: rights });
    },

    /** Creates the token if there is no other. If two gateways start at once, only one creates it. @returns whether it did */
    async createFirst(token: NewApiToken): Promise<boolean> {
      // The first check takes no lock, because a read-only database does not grant the lock of `createUnless`.
      if ((await prisma.apiToken.count()) > 0) return false;
      return createUnless(prisma, token, {});
    },

    async noteUse(hash: string, at: Date): Promise<void> {
      await prisma.apiToken.updateMany({ where: { hash }, data: { lastUsedAt: at } });
    },

    async remove(hash: string): Promise<void> {
      await prisma.apiToken.deleteMany({ where: { hash } });
    },
  };
}

/** Creates the token unless another one matches `where`. The lock makes other transactions that create tokens wait. */
function createUnless(prisma: Database['prisma'], token: NewApiToken, where: Prisma.ApiTokenWhereInput): Promise<boolean> {
  return prisma.$transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE gateway_api_token IN SHARE ROW EXCLUSIVE MODE`;
    if ((await tx.apiToken.count({ where })) > 0) return false;
    await tx.apiToken.create({ data: token });
    return true;
  });
}
