import 'reflect-metadata';
import type { GraphQLObjectType, GraphQLSchema } from 'graphql';
import { buildSchemaSync, type NonEmptyArray } from 'type-graphql';

type ResolverClass = abstract new (...args: never[]) => object;

/**
 * Builds the executable schema from resolver instances, and from classes without dependencies (field resolvers).
 * TypeGraphQL accepts a plain map as its container.
 */
export function createSchema(instances: readonly object[], classes: readonly (new () => object)[]): GraphQLSchema {
  const container = new Map<unknown, object>([
    ...instances.map((instance) => [instance.constructor, instance] as const),
    ...classes.map((Class) => [Class, new Class()] as const),
  ]);
  const schema = buildSchemaSync({
    resolvers: [...container.keys()] as unknown as NonEmptyArray<ResolverClass> as never,
    container: { get: (Class: unknown) => container.get(Class) },
    // The services validate arguments, for REST and GraphQL alike.
    validate: false,
  });
  describe(schema.getQueryType(), 'Operations that read the event log, public signup tokens, and the rights of the caller.');
  describe(schema.getMutationType(), 'Operations that change data. Each needs the ADMIN permission.');
  return schema;
}

/** Sets the description of a root type, for which TypeGraphQL has no option. */
function describe(type: GraphQLObjectType | null | undefined, description: string): void {
  if (type) type.description = description;
}
