import 'reflect-metadata';
import type { GraphQLFieldResolver, GraphQLObjectType, GraphQLSchema } from 'graphql';
import { buildSchemaSync, type NonEmptyArray, type PubSub } from 'type-graphql';
import type { RequestContext } from '../request-context.js';
import { bindQueries } from './bind-queries.js';

type ResolverClass = abstract new (...args: never[]) => object;

export interface SubscriptionResolver {
  /** The functions that open the source of each subscription, by the name of the field. */
  readonly subscriptions: Readonly<Record<string, GraphQLFieldResolver<unknown, RequestContext>>>;
}

/** A placeholder in a subscription's decorator. TypeGraphQL would call it without an instance, so `createSchema` replaces it. */
export function subscribedByInstance(): never {
  throw new Error('createSchema sets the source of each subscription.');
}

/** The `PubSub` that TypeGraphQL requires for subscriptions. It has no topics, because all subscriptions read the log. */
const NO_TOPICS: PubSub = { publish: () => undefined, subscribe: subscribedByInstance };

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
    pubSub: NO_TOPICS,
  });
  bindQueries(schema, container);
  for (const instance of instances) bindSubscriptions(schema, instance);
  describe(schema.getQueryType(), 'Operations that read the event log, public signup tokens, and the rights of the caller.');
  describe(schema.getMutationType(), 'Operations that change data. Each needs the ADMIN permission.');
  describe(schema.getSubscriptionType(), 'Streams of the event log, over server-sent events, multipart responses and WebSocket.');
  return schema;
}

function bindSubscriptions(schema: GraphQLSchema, instance: Partial<SubscriptionResolver>): void {
  const fields = schema.getSubscriptionType()?.getFields() ?? {};
  for (const [name, subscribe] of Object.entries(instance.subscriptions ?? {})) {
    const field = fields[name];
    if (!field) throw new Error('A key of `subscriptions` is not the name of a subscription field.');
    field.subscribe = subscribe;
  }
}

/** Sets the description of a root type, for which TypeGraphQL has no option. */
function describe(type: GraphQLObjectType | null | undefined, description: string): void {
  if (type) type.description = description;
}
