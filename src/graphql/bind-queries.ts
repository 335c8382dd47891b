import type { GraphQLFieldResolver, GraphQLResolveInfo, GraphQLSchema } from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import type { RequestContext } from '../request-context.js';

type Arguments = Readonly<Record<string, unknown>>;

/** Returns the value of one parameter of a method. */
type ReadParameter = (args: Arguments, context: RequestContext, info: GraphQLResolveInfo) => unknown;

type Parameter = NonNullable<ReturnType<typeof getMetadataStorage>['queries'][number]['params']>[number];

/**
 * Makes each query field with arguments call its method directly. For each call, TypeGraphQL would look up the classes of the
 * arguments and create instances of them, which takes about 3 µs. These classes have neither methods nor initial values, so the
 * plain objects of graphql-js have the same properties.
 */
export function bindQueries(schema: GraphQLSchema, instances: ReadonlyMap<unknown, object>): void {
  const fields = schema.getQueryType()?.getFields() ?? {};
  for (const { target, methodName, schemaName, params = [], middlewares = [], roles } of getMetadataStorage().queries) {
    const instance = instances.get(target);
    const field = fields[schemaName];
    if (!instance || !field || field.args.length === 0) continue;
    if (middlewares.length > 0 || roles) throw new Error('Queries cannot have middlewares or roles.');
    field.resolve = createResolver(instance, methodName, params);
  }
}

function createResolver(
  instance: object,
  methodName: string,
  params: Parameter[],
): GraphQLFieldResolver<unknown, RequestContext> {
  const readers = params.toSorted((a, b) => a.index - b.index).map(toReader);
  const method = (instance as Record<string, (...values: unknown[]) => unknown>)[methodName];
  if (!method) throw new Error('A query has no method.');
  // The function is asynchronous like that of TypeGraphQL, so graphql-js calls the other fields even if the method throws.
  return async (_, args, context, info) => {
    const values = readers.map((read) => read(args, context, info));
    return method.apply(instance, values);
  };
}

function toReader(parameter: Parameter): ReadParameter {
  if (parameter.kind === 'context' && parameter.propertyName) throw new Error('A query takes the whole context.');
  switch (parameter.kind) {
    case 'args':
      return (args) => args;
    case 'arg':
      return (args) => args[parameter.name];
    case 'context':
      return (_, context) => context;
    case 'info':
      return (_args, _context, info) => info;
    default:
      throw new Error(`A query cannot have a parameter of the kind ${parameter.kind}.`);
  }
}
