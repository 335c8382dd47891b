import type { ApiToken, PrismaClient } from '../generated/prisma/client.js';

export type { ApiToken };
export type NewApiToken = Pick<ApiToken, 'hash' | 'name' | 'role' | 'projects' | 'expiresAt'>;
export type ApiTokenStore = ReturnType<typeof createApiTokenStore>;

/** The gateway's API tokens, by the hash of their secret. */
export function createApiTokenStore(prisma: PrismaClient) {
  return {
    find: (hash: string): Promise<ApiToken | null> => prisma.apiToken.findUnique({ where: { hash } }),

    list: (): Promise<ApiToken[]> => prisma.apiToken.findMany({ orderBy: [{ createdAt: 'asc' }, { hash: 'asc' }] }),

    async create(token: NewApiToken): Promise<void> {
      await prisma.apiToken.create({ data: token });
    },

    /** Makes the token exist with just these rights. */
    async put({ hash, ...rights }: NewApiToken): Promise<void> {
      await prisma.apiToken.upsert({ where: { hash }, create: { hash, ...rights }, update: rights });
    },

    /** Whether the token was created: only if there was none at all, also when two gateways start at once. */
    createFirst: (token: NewApiToken): Promise<boolean> =>
      prisma.$transaction(async (tx) => {
        await tx.$executeRaw`LOCK TABLE gateway_api_token IN SHARE ROW EXCLUSIVE MODE`;
        if ((await tx.apiToken.count()) > 0) return false;
        await tx.apiToken.create({ data: token });
        return true;
      }),

    async noteUse(hash: string, at: Date): Promise<void> {
      await prisma.apiToken.updateMany({ where: { hash }, data: { lastUsedAt: at } });
    },

    async remove(hash: string): Promise<void> {
      await prisma.apiToken.deleteMany({ where: { hash } });
    },
  };
}
