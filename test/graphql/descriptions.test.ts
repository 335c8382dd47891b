import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { buildSchema, type GraphQLNamedType, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';

interface Described {
  readonly description?: string | null | undefined;
}

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));

/** Returns the type and its parts, each by its coordinate: `Query.events(first:)`. */
function partsOf(type: GraphQLNamedType): (readonly [string, Described])[] {
  const { name } = type;
  if (isEnumType(type)) return [[name, type], ...type.getValues().map((value) => [`${name}.${value.name}`, value] as const)];
  if (isInputObjectType(type)) {
    return [[name, type], ...Object.values(type.getFields()).map((field) => [`${name}.${field.name}`, field] as const)];
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return [[name, type]];
  const fields = Object.values(type.getFields()).flatMap((field) => [
    [`${name}.${field.name}`, field] as const,
    ...field.args.map((argument) => [`${name}.${field.name}(${argument.name}:)`, argument] as const),
  ]);
  return [[name, type], ...fields];
}

test('schema.graphql describes each type, field, argument, enum value and input field', () => {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const parts = types.flatMap(partsOf);
  expect(parts.map(([coordinate]) => coordinate)).toEqual(
    expect.arrayContaining(['Query.events(first:)', 'EventType.FEATURE_CREATED', 'EventFilter.query', 'DateTimeISO']),
  );
  const undescribed = parts.filter(([, { description }]) => !/\S/.test(description ?? ''));
  expect(undescribed.map(([coordinate]) => coordinate)).toEqual([]);
});
