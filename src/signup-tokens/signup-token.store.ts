import type { OptionalUserField } from '../database/unleash-database.js';
import { GatewayError } from '../errors.js';
import type { Mirror, Prisma, PrismaClient } from '../generated/prisma/client.js';
import { withExtremeTimes } from './extreme-times.store.js';
import { storeResponse, takeKey } from './idempotency.store.js';
import type { SignupToken, User } from './signup-token.js';
import type { IdempotentRequest } from './signup-token-request.js';

export type SignupTokenStore = ReturnType<typeof createSignupTokenStore>;

export interface NewSignupToken {
  readonly secret: string;
  readonly url: string;
  readonly name: string;
  readonly expiresAt: Date;
  readonly createdBy: string;
}

/** The event that records the creation of a token. */
export interface NewSignupTokenEvent {
  readonly type: string;
  readonly createdBy: string;
  readonly createdByUserId: number | null;
  /** Returns the event's `data` for the created token. */
  readonly data: (token: SignupToken) => Prisma.InputJsonObject;
}

export interface SignupTokenStoreOptions {
  /** Fields of users that the database lacks, or that the gateway's role may not read. They are null in responses. */
  readonly absentUserFields?: readonly OptionalUserField[];
  /** Tables that a creation writes, but that the gateway's role may not write. */
  readonly unwritable?: readonly string[];
  /** Whether the database is the gateway's own. Only such a database can be the mirror of an Unleash log. */
  readonly isOwn: boolean;
}

/** Reads and creates public signup tokens with their users and role. */
export function createSignupTokenStore(
  prisma: PrismaClient,
  { absentUserFields = [], unwritable = [], isOwn }: SignupTokenStoreOptions,
) {
  const relations = relationsWithout(absentUserFields);
  return {
    /** Whether the database stores idempotency keys. An Unleash database has no table for them. */
    storesKeys: isOwn,

    /** Returns the error for a creation in this database, or null if the database accepts new tokens. */
    async findRefusal(): Promise<GatewayError | null> {
      const mirror = isOwn ? await prisma.mirror.findFirst() : null;
      if (mirror) return creationInMirror(mirror);
      if (unwritable.length > 0) return creationWithoutGrants();
      const [row] = await prisma.$queryRaw<{ isStandby: boolean }[]>`SELECT pg_is_in_recovery() AS "isStandby"`;
      return row?.isStandby ? creationOnStandby() : null;
    },

    /** In one transaction, creates a token with the root role `roleName`, and its event. A retry gets the first response. */
    create: (
      token: NewSignupToken,
      roleName: string,
      event: NewSignupTokenEvent,
      idempotency: IdempotentRequest | null,
    ): Promise<SignupToken> =>
      prisma.$transaction(async (tx) => {
        // A running import may lock the id of the new event. An error is better than waiting for the import to end.
        await tx.$executeRaw`SET LOCAL lock_timeout = '1500ms'`;
        const mirror = isOwn ? await tx.mirror.findFirst() : null;
        if (mirror) throw creationInMirror(mirror);
        if (idempotency && !isOwn) throw keysNotSupported();
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

    /**
     * Whether Unleash would never accept a token that expires at this time. Unleash compares days, in the default time zone of
     * its database. False in the gateway's own database.
     */
    async isNeverAccepted(expiresAt: Date): Promise<boolean> {
      if (isOwn) return false;
      const [row] = await prisma.$queryRaw<{ isDead: boolean }[]>`
        SELECT (${expiresAt}::timestamptz AT TIME ZONE reset_val)::date <= (now() AT TIME ZONE reset_val)::date AS "isDead"
        FROM pg_settings WHERE name = 'TimeZone'`;
      return row?.isDead ?? false;
    },

    async find(secret: string): Promise<SignupToken | null> {
      const row = await prisma.publicSignupToken.findUnique({ where: { secret }, include: relations });
      return row && toSignupToken(await withExtremeTimes(prisma, row, absentUserFields));
    },
  };
}

/**
 * Returns the error for a creation in a mirror. The mirrored Unleash server would not know the token, and would use the id of
 * the creation's event for an event of its own.
 */
function creationInMirror({ source }: Mirror): GatewayError {
  return new GatewayError(
    'NotSupportedHereError',
    `This gateway serves a copy of the log of ${source} and cannot create signup tokens. Create the token on that server.`,
  );
}

function creationWithoutGrants(): GatewayError {
  return new GatewayError(
    'NotSupportedHereError',
    'This gateway may only read the database of the Unleash server, so it cannot create signup tokens. Create the token on that server.',
  );
}

function creationOnStandby(): GatewayError {
  return new GatewayError(
    'NotSupportedHereError',
    'This gateway uses a read-only standby, so it cannot create signup tokens. Use a gateway on the primary server.',
  );
}

function keysNotSupported(): GatewayError {
  return new GatewayError(
    'BadDataError',
    'This gateway uses the database of an Unleash server, in which it cannot store idempotency keys. Send the request without an idempotency key.',
  );
}

/**
 * Returns the relations that Prisma reads with a token. Reading them takes a fixed number of queries for any number of users.
 * Prisma batches the reads of several tokens in one request.
 */
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

/** Replaces null where the tables of Unleash allow it and spec 2.4 does not. */
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
