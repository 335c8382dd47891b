import type { PrismaClient } from '../generated/prisma/client.js';

interface Row {
  readonly secret: string;
  readonly expiresAt: Date;
  readonly createdAt: Date;
  readonly users: readonly { readonly user: UserRow }[];
}

interface UserRow {
  readonly id: number;
  readonly createdAt?: Date | null;
  readonly seenAt?: Date | null;
}

/** JavaScript has no times further than this from 1970. */
const MOST_MS = 8.64e15;

/**
 * Reads the times again that Prisma returns as invalid dates: `infinity`, and times outside of the years 0001 to 9999. Unleash accepts an
 * invitation that ends in the year 0000. The last and the first time of JavaScript stand for times beyond them. Microseconds are cut off, as
 * in other times.
 */
export async function withStrangeTimes<Token extends Row>(prisma: PrismaClient, token: Token): Promise<Token> {
  if (!isStrange(token) && !token.users.some(({ user }) => isStrange(user))) return token;
  const [times] = await prisma.$queryRaw<{ expiresAt: string; createdAt: string }[]>`
    SELECT extract(epoch FROM date_trunc('milliseconds', expires_at))::text AS "expiresAt",
      extract(epoch FROM date_trunc('milliseconds', created_at))::text AS "createdAt"
    FROM public_signup_tokens WHERE secret = ${token.secret}`;
  const users = await prisma.$queryRaw<{ id: number; createdAt: string | null; seenAt: string | null }[]>`
    SELECT id,
      extract(epoch FROM date_trunc('milliseconds', created_at))::text AS "createdAt",
      extract(epoch FROM date_trunc('milliseconds', seen_at))::text AS "seenAt"
    FROM users WHERE id = ANY (${token.users.map(({ user }) => user.id)})`;
  return {
    ...token,
    ...(times && { expiresAt: toDate(times.expiresAt), createdAt: toDate(times.createdAt) }),
    users: token.users.map(({ user, ...joined }) => {
      const found = users.find(({ id }) => id === user.id);
      return { ...joined, user: { ...user, createdAt: toDate(found?.createdAt), seenAt: toDate(found?.seenAt) } };
    }),
  };
}

function isStrange(row: object): boolean {
  return Object.values(row).some((value) => value instanceof Date && Number.isNaN(value.getTime()));
}

function toDate(seconds: string): Date;
function toDate(seconds: string | null | undefined): Date | null;
function toDate(seconds: string | null | undefined): Date | null {
  return seconds ? new Date(Math.max(-MOST_MS, Math.min(MOST_MS, Math.round(Number(seconds) * 1000)))) : null;
}
