import {
  defaultFieldResolver,
  type FieldNode,
  GraphQLEnumType,
  GraphQLInt,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
  getNullableType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { JsonList, joinItems, stringToJson, toJson } from '../formats/json-text.js';
import { collectFields, type Fragments } from './collect-fields.js';
import { DateTimeISO, storedTimeToJson } from './date-time-iso.js';
import { createPropertyReader, type ReadProperty } from './property-reader.js';

/** Converts a field's value for the response. A list becomes JSON text, a leaf its serialized value, an object a plain object. */
export type Complete = (value: unknown) => unknown;

/** Writes a value as JSON text. */
type Write = (value: unknown) => string;

/** The most fields of a plan below the root fields. graphql-js runs larger operations. */
const MAX_MEMBERS = 5_000;

/** The state of planning one document. */
export interface Planning {
  readonly fragments: Fragments;
  /** The number of fields below the root fields that were planned so far. */
  members: number;
}

/** Thrown if a value does not fit its type. graphql-js then runs the operation again, and reports the place of the error. */
export class UnwritableError extends Error {}

/** A field of an object: its name in the response, and how its value is read and converted. */
interface Member<Convert> {
  readonly key: string;
  readonly read: ReadProperty;
  readonly convert: Convert;
}

/**
 * Returns the function that completes a value of a field. The function writes the items of a list as text. Creating an object for
 * each item first would take several times as long.
 * @returns null if graphql-js has to run the operation, for example because a field below has a resolver of its own
 */
export function createCompletion(type: GraphQLOutputType, nodes: readonly FieldNode[], planning: Planning): Complete | null {
  const nullable = getNullableType(type);
  const complete = createNonNullCompletion(nullable, nodes, planning);
  const onNull = nullValue(type, null);
  return complete && ((value) => (value == null ? onNull() : complete(value)));
}

/** Returns the function that completes values that are not null. */
function createNonNullCompletion(type: GraphQLOutputType, nodes: readonly FieldNode[], planning: Planning): Complete | null {
  if (isLeafType(type)) return (value) => serialize(type, value);
  if (isListType(type)) return createListWriter(type.ofType, nodes, planning, (items) => new JsonList(items));
  if (!isObjectType(type)) return null;
  const members = findMembers(type, nodes, planning, createCompletion, () => type.name);
  return (
    members &&
    ((value) => {
      // Without a prototype, the object has no keys but those of the response.
      const object: Record<string, unknown> = Object.create(null);
      for (const { key, read, convert } of members) object[key] = convert(read(value as object));
      return object;
    })
  );
}

/** Returns the function that writes each item of a list. @param toList makes the list of the items */
function createListWriter<List>(
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
  planning: Planning,
  toList: (items: readonly string[]) => List,
): ((values: unknown) => List) | null {
  const write = createWriter(type, nodes, planning);
  return (
    write &&
    ((values) => {
      if (!Array.isArray(values)) throw new UnwritableError();
      return toList(values.map(write));
    })
  );
}

function createWriter(type: GraphQLOutputType, nodes: readonly FieldNode[], planning: Planning): Write | null {
  const nullable = getNullableType(type);
  if (isLeafType(nullable)) return findLeafWriter(nullable, type !== nullable);
  const onNull = nullValue(type, 'null');
  const write = createNonNullWriter(nullable, nodes, planning);
  return write && ((value) => (value == null ? onNull() : write(value)));
}

/** Returns the writer of objects and lists that are not null. */
function createNonNullWriter(type: GraphQLOutputType, nodes: readonly FieldNode[], planning: Planning): Write | null {
  if (isListType(type)) return createListWriter(type.ofType, nodes, planning, joinItems);
  return isObjectType(type) ? createObjectWriter(type, nodes, planning) : null;
}

function createObjectWriter(type: GraphQLObjectType, nodes: readonly FieldNode[], planning: Planning): Write | null {
  const typeName = JSON.stringify(type.name);
  const members = findMembers(type, nodes, planning, createWriter, () => typeName);
  if (!members) return null;
  const parts = members.map(({ key, read, convert }, index) => ({
    prefix: `${index === 0 ? '{' : ','}${JSON.stringify(key)}:`,
    read,
    write: convert,
  }));
  return (value) => {
    let text = '';
    for (const { prefix, read, write } of parts) text += prefix + write(read(value as object));
    return `${text}}`;
  };
}

/**
 * Returns the fields that are selected in objects of the type.
 * @param create returns the function that converts the values of a field
 * @param toTypeName converts any value to the name of the type, for `__typename`
 * @returns null if a field has a resolver of its own, if `create` returns null, or if the plan has too many fields
 */
function findMembers<Convert extends Complete>(
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  planning: Planning,
  create: (type: GraphQLOutputType, nodes: readonly FieldNode[], planning: Planning) => Convert | null,
  toTypeName: Convert,
): Member<Convert>[] | null {
  const sets = nodes.map(({ selectionSet }) => selectionSet);
  const collected = collectFields(type, sets, planning.fragments);
  planning.members += collected?.size ?? 0;
  if (!collected || planning.members > MAX_MEMBERS) return null;
  const members: Member<Convert>[] = [];
  for (const [key, selected] of collected) {
    const name = selected[0]?.name.value ?? '';
    const field = type.getFields()[name];
    const isProperty = field && (field.resolve === undefined || field.resolve === defaultFieldResolver);
    const convert = isProperty ? create(field.type, selected, planning) : null;
    if (convert) members.push({ key, read: createPropertyReader(name), convert });
    else if (name === TYPE_NAME) members.push({ key, read: readNothing, convert: toTypeName });
    else return null;
  }
  return members;
}

const TYPE_NAME = '__typename';

/** Reads no property: `__typename` is the same for all objects of a type. */
const readNothing: ReadProperty = () => undefined;

/** The writers of leaves, for nullable and non-null fields. All plans share them: an enum's writer has a map of all names. */
const leafWriters = { nullable: new WeakMap<GraphQLLeafType, Write>(), nonNull: new WeakMap<GraphQLLeafType, Write>() };

function findLeafWriter(type: GraphQLLeafType, isNonNull: boolean): Write {
  const writers = isNonNull ? leafWriters.nonNull : leafWriters.nullable;
  const write = writers.get(type) ?? createLeafWriter(type, isNonNull ? rejectNull : () => 'null');
  writers.set(type, write);
  return write;
}

/** Returns the writer of a leaf. It has short paths for common values, because it runs for each field of each event of a page. */
function createLeafWriter(type: GraphQLLeafType, onNull: () => string): Write {
  const writeOther: Write = (value) => (value == null ? onNull() : toJson(serialize(type, value)));
  if (type === GraphQLString) return (value) => (typeof value === 'string' ? stringToJson(value) : writeOther(value));
  if (type === GraphQLInt) return (value) => (isSmallInteger(value) ? String(value) : writeOther(value));
  if (type === DateTimeISO) return (value) => storedTimeToJson(value) ?? writeOther(value);
  if (type instanceof GraphQLEnumType) {
    const names = new Map(type.getValues().map(({ name, value }) => [value as unknown, JSON.stringify(name)]));
    return (value) => names.get(value) ?? writeOther(value);
  }
  return writeOther;
}

function isSmallInteger(value: unknown): boolean {
  return typeof value === 'number' && (value | 0) === value;
}

function serialize(type: GraphQLLeafType, value: unknown): unknown {
  const serialized = type.serialize(value);
  if (serialized == null) throw new UnwritableError();
  return serialized;
}

/** Returns the function that handles null in a field of the type: it returns `value`, or throws if the type is non-null. */
function nullValue<Null>(type: GraphQLOutputType, value: Null): () => Null {
  return isNonNullType(type) ? rejectNull : () => value;
}

function rejectNull(): never {
  throw new UnwritableError();
}
