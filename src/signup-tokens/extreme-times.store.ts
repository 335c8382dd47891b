import { timeToText } from '../database/time-to-text.js';
import type { OptionalUserField } from '../database/unleash-database.js';
import { toWireTime } from '../formats/stored-time.js';
import { Prisma, type PrismaClient } from '../generated/prisma/client.js';

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

/**
 * Corrects the times that Prisma returns as invalid dates: `infinity`, and times outside of the years 0001 to 9999. Such times
 * occur, because Unleash accepts an invitation that ends in the year 0000.
 * @param absent fields of users that the database does not have
 */
export async function withExtremeTimes<Token extends Row>(
  prisma: PrismaClient,
  token: Token,
  absent: readonly OptionalUserField[],
): Promise<Token> {
  if (!hasExtremeTime(token) && !token.users.some(({ user }) => hasExtremeTime(user))) return token;
  const [times] = await prisma.$queryRaw<{ expiresAt: string; createdAt: string }[]>`
    SELECT ${select('expires_at')} AS "expiresAt", ${select('created_at')} AS "createdAt"
    FROM public_signup_tokens WHERE secret = ${token.secret}`;
  const selectPresent = (field: OptionalUserField, column: string) =>
    absent.includes(field) ? Prisma.sql`NULL` : select(column);
  const users = await prisma.$queryRaw<{ id: number; createdAt: string | null; seenAt: string | null }[]>`
    SELECT id, ${selectPresent('createdAt', 'created_at')} AS "createdAt", ${selectPresent('seenAt', 'seen_at')} AS "seenAt"
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

function hasExtremeTime(row: object): boolean {
  return Object.values(row).some((value) => value instanceof Date && Number.isNaN(value.getTime()));
}

function select(column: string): Prisma.Sql {
  return Prisma.raw(timeToText(column, 'US'));
}

function toDate(stored: string): Date;
function toDate(stored: string | null | undefined): Date | null;
function toDate(stored: string | null | undefined): Date | null {
  return stored ? new Date(toWireTime(stored) ?? Number.NaN) : null;
}
