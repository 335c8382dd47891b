import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
} from 'graphql';
import type { RequestContext } from '../request-context.js';
import { type OperationPlan, planOperation } from './operation-plan.js';

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

/** graphql-js reports at most this many errors in variables. The value is its own default. */
const MAX_VARIABLE_ERRORS = 50;

/** Runs an operation by its plan, or else by graphql-js, with the same result. @param usesPlans false for graphql-js alone */
export function createRunOperation(schema: GraphQLSchema, usesPlans = true): RunOperation {
  // A plan lives as long as its document in the cache of Apollo Server.
  const plans = new WeakMap<OperationDefinitionNode, OperationPlan | 'none'>();

  const findPlan = (document: DocumentNode, operation: OperationDefinitionNode): OperationPlan | null => {
    const plan = plans.get(operation) ?? planOperation(schema, document, operation) ?? 'none';
    plans.set(operation, plan);
    return plan === 'none' ? null : plan;
  };

  return async ({ document, operation, operationName, variables, context }) => {
    const plan = usesPlans && operation ? findPlan(document, operation) : null;
    if (operation && plan) {
      const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables, {
        maxErrors: MAX_VARIABLE_ERRORS,
      });
      if (errors) return { errors };
      const result = await plan.run(coerced, context);
      if (result) return result;
    }
    return execute({ schema, document, operationName, variableValues: variables, contextValue: context });
  };
}
