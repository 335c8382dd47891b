import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { RequestContext } from '../request-context.js';
import { type OperationPlan, planOperation } from './operation-plan.js';
import type { ResponseMemo } from './response-memo.js';

/** A valid operation, and the request for it. */
export interface OperationRun {
  readonly document: DocumentNode;
  /** Undefined if `operationName` matches no operation of the document. */
  readonly operation: OperationDefinitionNode | undefined;
  readonly operationName: string | null | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly context: RequestContext;
}

export type RunOperation = (run: OperationRun) => Promise<ExecutionResult>;

/** The most fields of all cached plans together. A frontend has dozens of documents, and a document has dozens of fields. */
const MAX_PLANNED_FIELDS = 20_000;

/** graphql-js reports at most this many errors in variables. The value is the default of graphql-js. */
const MAX_VARIABLE_ERRORS = 50;

/** A plan, and the length of its document. The length adds to the size in the cache, because a plan keeps its syntax tree. */
interface PlannedOperation {
  readonly id: string;
  readonly plan: OperationPlan;
  readonly characters: number;
}

const NOT_PLANNED = { id: '', plan: null };

/** Ten characters of a document take about as much memory as a field of its plan. */
const CHARACTERS_PER_FIELD = 10;

const sizeOf = ({ plan, characters }: PlannedOperation): number => plan.size + Math.ceil(characters / CHARACTERS_PER_FIELD);

export interface ExecutionOptions {
  /** Whether an operation runs by a plan if it can be planned. True by default. */
  readonly usesPlans?: boolean | undefined;
  /** The cache of results; null for no cache. */
  readonly memo?: ResponseMemo | null;
  /** Called when a plan has written the result of an operation as JSON text. The rows of the operation are not needed any more. */
  readonly onWritten?: (context: RequestContext) => void;
}

/** Creates the function that runs an operation by its plan, or else by graphql-js, with the same result. */
export function createRunOperation(
  schema: GraphQLSchema,
  { usesPlans = true, memo = null, onWritten }: ExecutionOptions,
): RunOperation {
  /** The ids of operations; null for an operation that cannot be planned. The map keeps no document in memory. */
  const ids = new WeakMap<OperationDefinitionNode, string | null>();
  const plans = new LRUCache<string, PlannedOperation>({ maxSize: MAX_PLANNED_FIELDS, sizeCalculation: sizeOf });
  let planned = 0;

  const findPlan = (document: DocumentNode, operation: OperationDefinitionNode) => {
    const id = ids.get(operation);
    if (id === null) return NOT_PLANNED;
    const known = id === undefined ? undefined : plans.get(id);
    if (known) return known;
    planned += 1;
    const plan = planOperation(schema, document, operation);
    ids.set(operation, plan && String(planned));
    if (!plan) return NOT_PLANNED;
    const found = { id: String(planned), plan, characters: document.loc?.source.body.length ?? 0 };
    plans.set(found.id, found);
    return found;
  };

  return async ({ document, operation, operationName, variables, context }) => {
    const { plan, id } = usesPlans && operation ? findPlan(document, operation) : NOT_PLANNED;
    if (operation && plan) {
      const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables, {
        maxErrors: MAX_VARIABLE_ERRORS,
      });
      if (errors) return { errors };
      const run = async () => {
        const written = await plan.run(coerced, context);
        // Without data, a field has failed, and the other fields may still be reading.
        if (written?.data) onWritten?.(context);
        return written;
      };
      const result =
        memo && plan.readsLogOnly ? await memo.run({ operation: id, variables: coerced, context }, run) : await run();
      if (result) return result;
    }
    // The size of a response is counted per context object (events/response-size.ts). A copy of the context starts at zero, so
    // events that the failed plan has read do not count twice.
    const contextValue = plan ? { ...context } : context;
    return execute({ schema, document, operationName, variableValues: variables, contextValue });
  };
}
