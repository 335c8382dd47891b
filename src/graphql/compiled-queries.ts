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

/** When a document is compiled. */
export interface Compiling {
  /** At which of its runs. */
  readonly atRun: number;
  /** How long after the one before, at least. */
  readonly everyMs: number;
}

/**
 * Compiling costs as much as several runs: a document that is sent once or twice would never gain it back, and documents that come and go
 * would keep the process busy.
 */
export const COMPILING: Compiling = { atRun: 3, everyMs: 50 };

/** A frontend has some dozens of documents, and people's have some dozens of fields. */
const MAX_COMPILED = 300;

/** Each field is about a kilobyte of functions. */
const MAX_COMPILED_FIELDS = 30_000;
const MAX_FIELDS_TO_COMPILE = 1_000;

/**
 * No more than are compiled: of documents that take turns in larger numbers none runs often enough to be compiled, instead of each one pushing
 * out another.
 */
const MAX_COUNTED = MAX_COMPILED;

/** graphql-js stops listing what is wrong with the variables there; its own default. */
const MAX_VARIABLE_ERRORS = 50;

interface Run {
  readonly queryHash: string;
  readonly document: DocumentNode;
  readonly operation?: OperationDefinitionNode;
  readonly operationName: string | null;
  readonly context: unknown;
  /** As the client sent it; `operationName` above is null where that names no operation. */
  readonly request: { readonly operationName?: string; readonly variables?: Record<string, unknown> };
}

/**
 * Runs queries that are sent again and again as compiled functions (graphql-jit), and everything else by graphql-js; the answers are the
 * same. Apollo Server takes an executor from a `gateway` alone.
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

    // A mutation is rare and must not run twice; without an operation, graphql-js says what is wrong.
    const query = operation?.operation === OperationTypeNode.QUERY ? findCompiled(run) : null;
    if (!operation || !query) return execute(args);

    // A compiled query checks its variables too, in other words.
    const { errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variableValues, {
      maxErrors: MAX_VARIABLE_ERRORS,
    });
    if (errors) return { errors };

    const result: ExecutionResult = await query(undefined, contextValue, variableValues);
    if (!result.errors) return result;
    // What no resolver threw is the document's fault, and graphql-js names the place in it.
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
    const known = compiled.get(key);
    if (known) return known.query;
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

/** The compiled functions make errors of a class of their own, which is not graphql-js' and which Apollo Server would not know. */
function toGraphqlError({ message, path, locations, originalError, extensions }: GraphQLError): GraphQLError {
  const error = new GraphQLError(message, { path, originalError, extensions });
  return Object.defineProperty(error, 'locations', { value: locations, enumerable: true });
}
