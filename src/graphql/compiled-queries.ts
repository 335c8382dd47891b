import type { ApolloServerOptionsWithGateway } from '@apollo/server';
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import type { RequestContext } from '../request-context.js';
import { countFields, isCompilable } from './compilable-document.js';
import { toOperationKey } from './operation-key.js';

/** Conditions for compiling a document. */
export interface Compiling {
  /** The run of a document at which it is compiled, counted from 1. */
  readonly atRun: number;
  /** The shortest time between two compilations. */
  readonly everyMs: number;
}

/**
 * Compiling costs as much as several runs. A document that is sent once or twice would not recover that cost, and a stream of new
 * documents would keep the process busy.
 */
export const COMPILING: Compiling = { atRun: 3, everyMs: 50 };

/** A frontend has dozens of documents, and a document written by hand has dozens of fields. */
const MAX_COMPILED = 300;

/** The compiled functions take about a kilobyte per field. */
const MAX_COMPILED_FIELDS = 30_000;
const MAX_FIELDS_TO_COMPILE = 1_000;

/**
 * Runs are counted for as many documents as can be compiled. If more documents take turns, none of them is compiled, and none
 * evicts another.
 */
const MAX_COUNTED = MAX_COMPILED;

/** graphql-js reports at most this many errors in variables. The value is its own default. */
const MAX_VARIABLE_ERRORS = 50;

interface Run {
  readonly queryHash: string;
  readonly document: DocumentNode;
  readonly operation?: OperationDefinitionNode;
  readonly operationName: string | null;
  readonly context: unknown;
  /** The request as the client sent it. `operationName` above is null if the client's name matches no operation. */
  readonly request: { readonly operationName?: string; readonly variables?: Record<string, unknown> };
}

/**
 * Runs frequent queries as functions compiled by graphql-jit, and everything else with graphql-js, with the same results. Apollo
 * Server accepts another executor only through its `gateway` option.
 */
export function createCompiledExecutor(
  schema: GraphQLSchema,
  compiling: Compiling,
): ApolloServerOptionsWithGateway<RequestContext>['gateway'] {
  const executor = createExecutor(schema, compiling);
  return {
    load: async () => ({ executor }),
    onSchemaLoadOrUpdate(callback) {
      callback({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => undefined;
    },
    stop: async () => undefined,
  };
}

function createExecutor(schema: GraphQLSchema, compiling: Compiling): (run: Run) => Promise<ExecutionResult> {
  const findCompiled = createCompiler(schema, compiling);
  return async (run) => {
    const { document, operation, context: contextValue, request } = run;
    const variableValues = request.variables ?? {};
    const args: ExecutionArgs = { schema, document, operationName: request.operationName, variableValues, contextValue };

    // A mutation is rare and must not run twice. Without an operation, graphql-js reports the error.
    const query = operation?.operation === OperationTypeNode.QUERY ? findCompiled(run) : null;
    if (!operation || !query) return execute(args);

    // graphql-js checks the variables first, because a compiled query reports their errors in other words.
    const { errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variableValues, {
      maxErrors: MAX_VARIABLE_ERRORS,
    });
    if (errors) return { errors };

    const result: ExecutionResult = await query(undefined, contextValue, variableValues);
    if (!result.errors) return result;
    // An error that no resolver threw is an error in the document. graphql-js reports its place.
    if (!result.errors.every(({ originalError }) => originalError)) return execute(args);
    return { errors: result.errors.map(toGraphqlError), data: result.data ?? null };
  };
}

function createCompiler(schema: GraphQLSchema, { atRun, everyMs }: Compiling): (run: Run) => CompiledQuery['query'] | null {
  const compiled = new LRUCache<string, { query: CompiledQuery['query'] | null }>({
    max: MAX_COMPILED,
    maxSize: MAX_COMPILED_FIELDS,
  });
  const runs = new LRUCache<string, number>({ max: MAX_COUNTED });
  let compiledAt = Number.NEGATIVE_INFINITY;

  return ({ queryHash, operationName, document }) => {
    const key = toOperationKey(queryHash, operationName);
    const cached = compiled.get(key);
    if (cached) return cached.query;
    const count = (runs.get(key) ?? 0) + 1;
    runs.set(key, count);
    if (count < atRun || performance.now() - compiledAt < everyMs) return null;

    compiledAt = performance.now();
    const fields = countFields(document);
    const isInterpreted = fields > MAX_FIELDS_TO_COMPILE || !isCompilable(schema, document);
    const query = isInterpreted ? null : compile(schema, document, operationName);
    compiled.set(key, { query }, { size: query ? fields : 1 });
    runs.delete(key);
    return query;
  };
}

function compile(schema: GraphQLSchema, document: DocumentNode, operationName: string | null): CompiledQuery['query'] | null {
  const result = compileQuery(schema, document, operationName ?? undefined, { disablingCapturingStackErrors: true });
  return isCompiledQuery(result) ? result.query : null;
}

/** Compiled functions throw errors of their own class. Apollo Server recognizes only the class of graphql-js. */
function toGraphqlError({ message, path, locations, originalError, extensions }: GraphQLError): GraphQLError {
  const error = new GraphQLError(message, { path, originalError, extensions });
  return Object.defineProperty(error, 'locations', { value: locations, enumerable: true });
}
