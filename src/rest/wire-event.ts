import type { WireEventFragment } from '../generated/graphql/graphql.js';

/** An event as spec 2.1 has it on the wire: `type` is the exact string. */
export function toWireEvent({ id, createdAt, typeName, ...rest }: WireEventFragment) {
  return { id, createdAt, type: typeName, ...rest };
}
