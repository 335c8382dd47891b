import type { WireEventFragment } from '../generated/graphql/graphql.js';

/** An event as spec 2.1 has it on the wire: `type` is the exact string, tags have what newer servers add to them. */
export function toWireEvent({ id, createdAt, typeName, storedTags, ...rest }: WireEventFragment) {
  return { id, createdAt, type: typeName, ...rest, tags: storedTags };
}
