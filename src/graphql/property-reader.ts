/** Reads one property of an object. */
export type ReadProperty = (object: object) => unknown;

/** The readers of the properties that the schema names. */
const readers = new Map<string, ReadProperty>();

/**
 * Returns the function that reads the property of a field. Each property has a function of its own, because V8 has an inline
 * cache for each property access in the source. One expression `object[name]` for all properties cannot use such a cache, and
 * takes four times as long for the getters of an event.
 * @param name the name of a field of the schema. Each GraphQL name is also a JavaScript identifier, so it cannot contain code.
 */
export function createPropertyReader(name: string): ReadProperty {
  const reader = readers.get(name) ?? (new Function('object', `return object.${name};`) as ReadProperty);
  readers.set(name, reader);
  return reader;
}
