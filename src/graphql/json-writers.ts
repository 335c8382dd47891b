import {
  defaultFieldResolver,
  type FieldNode,
  GraphQLEnumType,
  GraphQLInt,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { JsonList, toJson } from '../formats/json-text.js';
import { collectFields, type Fragments } from './collect-fields.js';

/** Converts the value that a resolver returned: an object to an object, a list to its JSON text, and a leaf to its serialized value. */
export type Complete = (value: unknown) => unknown;

/** Writes a value as JSON text. */
type Write = (value: unknown) => string;

/** A value does not fit its type. graphql-js then runs the operation again, and reports the place of the error. */
export class UnwritableError extends Error {}

/** A field of an object: its name in the response, its name in the object, and its type. */
interface Property {
  readonly key: string;
  readonly name: string;
  readonly type: GraphQLOutputType;
  readonly nodes: readonly FieldNode[];
}

/**
 * Returns how to complete a value of a field. Lists become text at once, which takes a fraction of the time of an object per item.
 * @returns null if a field below is more than a property of its object
 */
export function createCompletion(type: GraphQLOutputType, nodes: readonly FieldNode[], fragments: Fragments): Complete | null {
  if (isNonNullType(type)) return forbidNull(createCompletion(type.ofType, nodes, fragments));
  if (isListType(type)) {
    const write = createListWriter(type.ofType, nodes, fragments);
    return write && ((value) => (value == null ? null : write(value)));
  }
  if (isLeafType(type)) return (value) => (value == null ? null : serialize(type, value));
  if (!isObjectType(type)) return null;
  const properties = findProperties(type, nodes, fragments);
  const members = properties && withEach(properties, (property) => createCompletion(property.type, property.nodes, fragments));
  return (
    members &&
    ((value) => {
      if (value == null) return null;
      // Without a prototype, each key is one of the response.
      const object: Record<string, unknown> = Object.create(null);
      for (const [{ key, name }, complete] of members) object[key] = complete(read(value, name, type));
      return object;
    })
  );
}

function createListWriter(
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
  fragments: Fragments,
): ((values: unknown) => JsonList) | null {
  const write = createWriter(type, nodes, fragments);
  return (
    write &&
    ((values) => {
      if (!Array.isArray(values)) throw new UnwritableError();
      let items = '';
      for (const value of values) items += items === '' ? write(value) : `,${write(value)}`;
      return new JsonList(`[${items}]`, values.length);
    })
  );
}

function createWriter(type: GraphQLOutputType, nodes: readonly FieldNode[], fragments: Fragments): Write | null {
  if (isNonNullType(type)) return forbidNull(createWriter(type.ofType, nodes, fragments));
  const write = createPresentWriter(type, nodes, fragments);
  return write && ((value) => (value == null ? 'null' : write(value)));
}

/** Returns the writer of values that are not null. */
function createPresentWriter(type: GraphQLOutputType, nodes: readonly FieldNode[], fragments: Fragments): Write | null {
  if (isLeafType(type)) return createLeafWriter(type);
  if (isListType(type)) {
    const write = createListWriter(type.ofType, nodes, fragments);
    return write && ((values) => write(values).text);
  }
  return isObjectType(type) ? createObjectWriter(type, nodes, fragments) : null;
}

function createObjectWriter(type: GraphQLObjectType, nodes: readonly FieldNode[], fragments: Fragments): Write | null {
  const properties = findProperties(type, nodes, fragments);
  const writers = properties && withEach(properties, (property) => createWriter(property.type, property.nodes, fragments));
  if (!writers) return null;
  const members = writers.map(([{ key, name }, write], index) => ({
    prefix: `${index === 0 ? '{' : ','}${JSON.stringify(key)}:`,
    name,
    write,
  }));
  return (value) => {
    let text = '';
    for (const { prefix, name, write } of members) text += prefix + write(read(value, name, type));
    return `${text}}`;
  };
}

const TYPE_NAME = '__typename';

function read(object: unknown, name: string, type: GraphQLObjectType): unknown {
  return name === TYPE_NAME ? type.name : (object as Record<string, unknown>)[name];
}

/** Returns the properties that are selected in objects of the type; null if one of them has a resolver of its own. */
function findProperties(type: GraphQLObjectType, nodes: readonly FieldNode[], fragments: Fragments): Property[] | null {
  const collected = collectFields(
    type,
    nodes.map(({ selectionSet }) => selectionSet),
    fragments,
  );
  const fields = type.getFields();
  return (
    collected &&
    allOf([...collected], ([key, selected]) => {
      const name = selected[0]?.name.value ?? '';
      if (name === TYPE_NAME) return { key, name, type: GraphQLString, nodes: selected };
      const field = fields[name];
      const isProperty = field && (field.resolve === undefined || field.resolve === defaultFieldResolver);
      return isProperty ? { key, name, type: field.type, nodes: selected } : null;
    })
  );
}

function createLeafWriter(type: GraphQLLeafType): Write {
  if (type === GraphQLString) return (value) => JSON.stringify(typeof value === 'string' ? value : serialize(type, value));
  if (type === GraphQLInt) return (value) => String(serialize(type, value));
  if (type instanceof GraphQLEnumType) {
    const names = new Map(type.getValues().map(({ name, value }) => [value as unknown, JSON.stringify(name)]));
    return (value) => names.get(value) ?? toJson(serialize(type, value));
  }
  return (value) => toJson(serialize(type, value));
}

function serialize(type: GraphQLLeafType, value: unknown): unknown {
  const serialized = type.serialize(value);
  if (serialized == null) throw new UnwritableError();
  return serialized;
}

function forbidNull<Result>(convert: ((value: unknown) => Result) | null): ((value: unknown) => Result) | null {
  return (
    convert &&
    ((value) => {
      if (value == null) throw new UnwritableError();
      return convert(value);
    })
  );
}

/** Pairs each property with what `create` returns for it; null if it returns null for one of them. */
function withEach<Created>(
  properties: readonly Property[],
  create: (property: Property) => Created | null,
): (readonly [Property, Created])[] | null {
  return allOf(properties, (property) => {
    const created = create(property);
    return created && ([property, created] as const);
  });
}

function allOf<Item, Result>(items: readonly Item[], convert: (item: Item) => Result | null): Result[] | null {
  const results: Result[] = [];
  for (const item of items) {
    const result = convert(item);
    if (result === null) return null;
    results.push(result);
  }
  return results;
}
