import DataLoader from 'dataloader';
import type { Database } from '../database/open.js';
import { type ApiToken, Prisma } from '../generated/prisma/client.js';

export type { ApiToken };
/** As much of a token as a request by it needs. */
export interface StoredApiToken extends Omit<ApiToken, 'createdAt'> {
  /** Whether the events are those of a server, some of which hold secrets of invitations. */
  readonly isOfMirror: boolean;
}
export type NewApiToken = Pick<ApiToken, 'hash' | 'name' | 'role' | 'projects' | 'expiresAt'>;
export type ApiTokenStore = ReturnType<typeof createApiTokenStore>;

/** The gateway's API tokens, by the hash of their secret. */
export function createApiTokenStore({ prisma, read }: Pick<Database, 'prisma' | 'read'>) {
  const byHash = new DataLoader<string, StoredApiToken | null>(
    async (hashes) => {
      const tokens = await read<StoredApiToken>(
        Prisma.sql`
          SELECT hash, name, role::text AS role, projects, expires_at AS "expiresAt", last_used_at AS "lastUsedAt",
            EXISTS (SELECT FROM gateway_mirror) AS "isOfMirror"
          FROM gateway_api_token WHERE hash = ANY(${hashes}::text[])`,
        'prepared',
      );
      return hashes.map((hash) => tokens.find((token) => token.hash === hash) ?? null);
    },
    // Those of all requests that have come in at once. Nothing is kept here.
    { cache: false, batchScheduleFn: (load) => setImmediate(load) },
  );
  return {
    find: (hash: string): Promise<StoredApiToken | null> => byHash.load(hash),

    list: (): Promise<ApiToken[]> => prisma.apiToken.findMany({ orderBy: [{ createdAt: 'asc' }, { hash: 'asc' }] }),

    async create(token: NewApiToken): Promise<void> {
      await prisma.apiToken.create({ data: token });
    },

    /** Makes the token exist with just these rights. Where it does, nothing is written: a gateway can start on a database that only reads. */
    async put({ hash, ...rights }: NewApiToken): Promise<void> {
      const known = await prisma.apiToken.count({ where: { hash, ...rights, projects: { equals: rights.projects } } });
      if (known > 0) return;
      await prisma.apiToken.upsert({ where: { hash }, create: { hash, ...rights }, update: rights });
    },

    /** Whether the token was created: only if there was none at all, also when two gateways start at once. */
    async createFirst(token: NewApiToken): Promise<boolean> {
      // Without the lock, which a database that only reads does not give.
      if ((await prisma.apiToken.count()) > 0) return false;
      return prisma.$transaction(async (tx) => {
        await tx.$executeRaw`LOCK TABLE gateway_api_token IN SHARE ROW EXCLUSIVE MODE`;
        if ((await tx.apiToken.count()) > 0) return false;
        await tx.apiToken.create({ data: token });
        return true;
      });
    },

    async noteUse(hash: string, at: Date): Promise<void> {
      await prisma.apiToken.updateMany({ where: { hash }, data: { lastUsedAt: at } });
    },

    async remove(hash: string): Promise<void> {
      await prisma.apiToken.deleteMany({ where: { hash } });
    },
  };
}
