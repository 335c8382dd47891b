import type { OptionalUserField } from '../database/unleash-database.js';
import { GatewayError } from '../errors.js';
import type { Mirror, Prisma, PrismaClient } from '../generated/prisma/client.js';
import { storeResponse, takeKey } from './idempotency.store.js';
import type { IdempotentRequest, SignupToken, User } from './signup-token.js';

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

export interface SignupTokenStoreOptions {
  /** Fields of users that the database does not have: they are null. */
  readonly absentUserFields?: readonly OptionalUserField[];
  /** Whether the database is the gateway's own, and so may be the mirror of a server's log. */
  readonly isOwn: boolean;
}

/** Public signup tokens with their users and role. */
export function createSignupTokenStore(prisma: PrismaClient, { absentUserFields = [], isOwn }: SignupTokenStoreOptions) {
  const relations = relationsWithout(absentUserFields);
  return {
    /** Creates the token for the root role of that name and the event that tells of it: both or neither. A request that was answered before gets that answer. */
    create: (
      token: NewSignupToken,
      roleName: string,
      event: NewSignupTokenEvent,
      idempotency: IdempotentRequest | null,
    ): Promise<SignupToken> =>
      prisma.$transaction(async (tx) => {
        // A running import may hold the id that the event gets: better an answer than to wait for its end.
        await tx.$executeRaw`SET LOCAL lock_timeout = '2s'`;
        const mirror = isOwn ? await tx.mirror.findFirst() : null;
        if (mirror) throw refusalOf(mirror);
        if (idempotency && !isOwn) throw keysAreNotKept();
        const first = idempotency && (await takeKey(tx, idempotency));
        if (first) return first;
        const role = await tx.role.findFirstOrThrow({ where: { name: roleName, type: 'root' }, select: { id: true } });
        const created = toSignupToken(
          await tx.publicSignupToken.create({ data: { ...token, roleId: role.id }, include: relations }),
        );
        await tx.event.create({ data: { ...event, data: event.data(created) }, select: { id: true } });
        if (idempotency) await storeResponse(tx, idempotency, created);
        return created;
      }),

    async find(secret: string): Promise<SignupToken | null> {
      const row = await prisma.publicSignupToken.findUnique({ where: { secret }, include: relations });
      return row && toSignupToken(row);
    },
  };
}

/** Its server would not know the token, and give the id of the event to one of its own. */
function refusalOf({ source }: Mirror): GatewayError {
  return new GatewayError(
    'ServiceUnavailableError',
    `This gateway serves a copy of the log of ${source}, and can create no signup tokens. Create them there.`,
  );
}

function keysAreNotKept(): GatewayError {
  return new GatewayError(
    'BadDataError',
    'This gateway cannot tell whether a request was sent before: it keeps nothing of its own in the database of the server. Send it without an idempotency key.',
  );
}

/** A fixed number of queries, however many users; Prisma reads those of several tokens of one request together. */
function relationsWithout(absent: readonly OptionalUserField[]) {
  return {
    role: { select: { id: true, type: true, name: true, description: true } },
    users: {
      orderBy: { userId: 'asc' },
      where: { user: { deletedAt: null } },
      include: {
        user: {
          omit: Object.fromEntries(absent.map((field) => [field, true])) as Partial<Record<OptionalUserField, true>>,
          include: { roles: { where: { role: { type: 'root' } }, select: { roleId: true } } },
        },
      },
    },
  } as const satisfies Prisma.PublicSignupTokenInclude;
}

type SignupTokenRow = Prisma.PublicSignupTokenGetPayload<{ include: ReturnType<typeof relationsWithout> }>;
type UserRow = SignupTokenRow['users'][number]['user'];

/** A server's own tables allow null where spec 2.4 does not. */
function toSignupToken({ roleId: _, users, name, enabled, ...token }: SignupTokenRow): SignupToken {
  return { ...token, name: name ?? '', enabled: enabled ?? false, users: users.map(({ user }) => toUser(user)) };
}

function toUser(row: UserRow): User {
  const { id, name, username, email, isService, imageUrl, loginAttempts, createdAt, seenAt, permissions, scimId } = row;
  return {
    id,
    name,
    username,
    email,
    isService: isService ?? false,
    imageUrl: imageUrl ?? null,
    loginAttempts: loginAttempts ?? null,
    createdAt: createdAt ?? null,
    seenAt: seenAt ?? null,
    scimId: scimId ?? null,
    rootRole: row.roles[0]?.roleId ?? null,
    permissions: Array.isArray(permissions) ? permissions.filter((permission) => typeof permission === 'string') : [],
  };
}
