import type { WireSignupTokenFragment } from '../generated/graphql/graphql.js';

/** A token as spec 2.4 has it on the wire: optional fields that may not be null are left out where there is no value. */
export function toWireSignupToken({ users, role, ...token }: WireSignupTokenFragment) {
  return { ...token, users: users.map(toWireUser), role: withoutNulls(role, []) };
}

function toWireUser(user: WireSignupTokenFragment['users'][number]) {
  return withoutNulls(user, ['name', 'username', 'seenAt', 'scimId']);
}

function withoutNulls(fields: object, nullable: readonly string[]) {
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== null || nullable.includes(name)));
}
