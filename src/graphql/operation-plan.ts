import {
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getArgumentValues,
  isNonNullType,
  Kind,
  locatedError,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import type { RequestContext } from '../request-context.js';
import { collectFields, type Fragments } from './collect-fields.js';
import { type Complete, createCompletion, type Planning, UnwritableError } from './json-writers.js';
import { readsLogOnly } from './reads-log-only.js';

/** A prepared operation. It runs without `execute` of graphql-js (docs/decisions/034-plans.md). */
export interface OperationPlan {
  /** The number of fields in the plan. Each takes about a kilobyte of memory. */
  readonly size: number;
  /** Whether the result depends only on the log, the variables and the projects of the caller. */
  readonly readsLogOnly: boolean;
  /**
   * Runs the operation with the same result as graphql-js, except that lists in the result are JSON text.
   * @param variables coerced by `getVariableValues` of graphql-js
   * @returns null if graphql-js has to run it, because a value does not fit its type
   */
  run(variables: Variables, context: RequestContext): Promise<ExecutionResult | null>;
}

type Variables = Readonly<Record<string, unknown>>;

/** A field of the operation itself. */
interface RootField {
  readonly key: string;
  readonly nodes: readonly FieldNode[];
  readonly field: GraphQLField<unknown, unknown>;
  readonly complete: Complete;
}

/**
 * Plans a valid query in which only root fields have resolvers. All other fields are properties of objects (json-writers.ts).
 * run-operation.ts runs the plan.
 * @returns null for other operations, for introspection and for documents with directives: graphql-js runs them
 */
export function planOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): OperationPlan | null {
  const type = schema.getQueryType();
  if (!type || operation.operation !== OperationTypeNode.QUERY) return null;
  const planning: Planning = { fragments: findFragments(document), members: 0 };
  const { fragments } = planning;
  const roots = findRootFields(type, operation, planning);
  if (!roots) return null;
  const known = { parentType: type, schema, fragments, operation };

  return {
    size: roots.length + planning.members,
    readsLogOnly: roots.every(({ field }) => readsLogOnly(field)),
    async run(variableValues, context) {
      const data: Record<string, unknown> = Object.create(null);
      // Adds the keys in the order of the document, whichever field is read first.
      for (const { key } of roots) data[key] = null;
      const errors: GraphQLError[] = [];
      let isWritable = true;
      let hasFailed = false;
      const readField = async (root: RootField): Promise<void> => {
        const { key, nodes, field, complete } = root;
        const value = await resolve(root, known, variableValues, context).catch((thrown: unknown) => {
          const error = locatedError(thrown, nodes, [key]);
          if (isNonNullType(field.type)) {
            hasFailed = true;
            throw error;
          }
          errors.push(error);
        });
        // If a non-null root field has failed, the response has no data, so this value is not needed.
        if (hasFailed) return;
        try {
          data[key] = complete(value ?? null);
        } catch (thrown) {
          if (!(thrown instanceof UnwritableError || thrown instanceof GraphQLError || thrown instanceof TypeError))
            throw locatedError(thrown, nodes, [key]);
          isWritable = false;
        }
      };
      try {
        await Promise.all(roots.map(readField));
      } catch (error) {
        return { errors: [...errors, error as GraphQLError], data: null };
      }
      if (!isWritable) return null;
      return errors.length > 0 ? { errors, data } : { data };
    },
  };
}

/** Returns the fields of the operation; null if graphql-js has to run one of them. */
function findRootFields(type: GraphQLObjectType, operation: OperationDefinitionNode, planning: Planning): RootField[] | null {
  const collected = collectFields(type, [operation.selectionSet], planning.fragments);
  const roots: RootField[] = [];
  for (const [key, nodes] of collected ?? []) {
    const field = type.getFields()[nodes[0]?.name.value ?? ''];
    const complete = field && createCompletion(field.type, nodes, planning);
    if (!complete) return null;
    roots.push({ key, nodes, field, complete });
  }
  return roots.length > 0 ? roots : null;
}

/**
 * Calls the resolver of a field, as graphql-js does. The `info` object contains no spread, because V8 would create new hidden
 * classes for each request (docs/decisions/044-pages-beside-postgraphile.md).
 */
async function resolve(
  { key, nodes, field }: RootField,
  { parentType, schema, fragments, operation }: Pick<GraphQLResolveInfo, 'parentType' | 'schema' | 'fragments' | 'operation'>,
  variableValues: Variables,
  context: RequestContext,
): Promise<unknown> {
  const [node] = nodes;
  if (!node) throw new Error('A field has no selection.');
  const args = getArgumentValues(field, node, variableValues);
  const info = {
    fieldName: field.name,
    fieldNodes: nodes,
    returnType: field.type,
    parentType,
    path: { prev: undefined, key, typename: parentType.name },
    schema,
    fragments,
    rootValue: undefined,
    operation,
    variableValues,
  };
  return field.resolve?.(undefined, args, context, info);
}

function findFragments({ definitions }: DocumentNode): Fragments {
  const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return Object.fromEntries(fragments.map((fragment) => [fragment.name.value, fragment]));
}
