import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
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
  return buildSchemaSync({
    resolvers: [...container.keys()] as unknown as NonEmptyArray<ResolverClass> as never,
    container: { get: (Class: unknown) => container.get(Class) },
    // The services validate arguments, for REST and GraphQL alike.
    validate: false,
  });
}
