import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync, type NonEmptyArray } from 'type-graphql';

type ResolverClass = abstract new (...args: never[]) => object;

/**
 * Builds the executable schema of resolver instances and of classes that need none (field resolvers).
 * A plain map is all the container that TypeGraphQL asks for.
 */
export function createSchema(instances: readonly object[], classes: readonly (new () => object)[]): GraphQLSchema {
  const container = new Map<unknown, object>([
    ...instances.map((instance) => [instance.constructor, instance] as const),
    ...classes.map((Class) => [Class, new Class()] as const),
  ]);
  return buildSchemaSync({
    resolvers: [...container.keys()] as unknown as NonEmptyArray<ResolverClass> as never,
    container: { get: (Class: unknown) => container.get(Class) },
    // Rules are held by the services, for REST and GraphQL alike.
    validate: false,
  });
}
