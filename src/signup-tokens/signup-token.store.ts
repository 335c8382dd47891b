import type { Prisma, PrismaClient } from '../generated/prisma/client.js';
import type { Role, SignupToken, User } from './signup-token.js';

export type SignupTokenStore = ReturnType<typeof createSignupTokenStore>;

export interface NewSignupToken {
  readonly secret: string;
  readonly url: string;
  readonly name: string;
  readonly expiresAt: Date;
  readonly createdBy: string;
}

/** What the log keeps of a token's creation. */
export interface NewSignupTokenEvent {
  readonly type: string;
  readonly createdBy: string;
  readonly createdByUserId: number | null;
  /** The event's `data`, for the token as it was created. */
  readonly data: (token: SignupToken) => Prisma.InputJsonObject;
}

/** Public signup tokens with their users and role. */
export function createSignupTokenStore(prisma: PrismaClient) {
  return {
    /** Creates the token for the root role of that name and the event that tells of it: both or neither. */
    create: (token: NewSignupToken, roleName: string, event: NewSignupTokenEvent): Promise<SignupToken> =>
      prisma.$transaction(async (tx) => {
        // A running import may hold the id that the event gets: better an answer than to wait for its end.
        await tx.$executeRaw`SET LOCAL lock_timeout = '2s'`;
        const role = await tx.role.findFirstOrThrow({ where: { name: roleName, type: 'root' }, select: { id: true } });
        const created = toSignupToken(
          await tx.publicSignupToken.create({ data: { ...token, roleId: role.id }, include: RELATIONS }),
        );
        await tx.event.create({ data: { ...event, data: event.data(created) }, select: { id: true } });
        return created;
      }),

    async find(secret: string): Promise<SignupToken | null> {
      const row = await prisma.publicSignupToken.findUnique({ where: { secret }, include: RELATIONS });
      return row && toSignupToken(row);
    },
  };
}

/** A fixed number of queries, however many users; Prisma reads those of several tokens of one request together. */
const RELATIONS = {
  role: true,
  users: {
    orderBy: { userId: 'asc' },
    where: { user: { deletedAt: null } },
    include: { user: { include: { roles: { where: { role: { type: 'root' } }, select: { roleId: true } } } } },
  },
} as const satisfies Prisma.PublicSignupTokenInclude;

type SignupTokenRow = Prisma.PublicSignupTokenGetPayload<{ include: typeof RELATIONS }>;

function toSignupToken({ roleId: _, role, users, ...token }: SignupTokenRow): SignupToken {
  return { ...token, role: toRole(role), users: users.map(({ user }) => toUser(user)) };
}

function toRole({ id, type, name, description }: SignupTokenRow['role']): Role {
  return { id, type, name, description };
}

function toUser({ roles, deletedAt: _, permissions, ...user }: SignupTokenRow['users'][number]['user']): User {
  const names = Array.isArray(permissions) ? permissions.filter((permission) => typeof permission === 'string') : [];
  return { ...user, rootRole: roles[0]?.roleId ?? null, permissions: names };
}
