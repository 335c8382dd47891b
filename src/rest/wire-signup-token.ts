import type { WireSignupTokenFragment } from '../generated/graphql/graphql.js';

/** Converts a token to the wire format of spec 2.4. Omits a field without a value if the format does not allow null for it. */
export function toWireSignupToken({ users, role, ...token }: WireSignupTokenFragment) {
  return { ...token, users: users.map(toWireUser), role: withoutNulls(role, []) };
}

function toWireUser(user: WireSignupTokenFragment['users'][number]) {
  return withoutNulls(user, ['name', 'username', 'seenAt', 'scimId']);
}

function withoutNulls(fields: object, nullable: readonly string[]) {
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== null || nullable.includes(name)));
}
