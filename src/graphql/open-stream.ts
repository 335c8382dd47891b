import { type ExecutionResult, type GraphQLSchema, subscribe } from 'graphql';
import { GatewayError } from '../errors.js';
import type { RequestContext } from '../request-context.js';
import { toGraphqlError } from './format-error.js';
import type { OperationRun, RunOperation } from './run-operation.js';

/** The context of an operation with a stream of results. */
export interface StreamContext extends RequestContext {
  /** Receives the results of a subscription. Absent if the client reads one response. */
  readonly openStream?: (results: AsyncIterable<ExecutionResult>) => void;
}

/** Runs queries and mutations for a client that reads one response, and subscriptions for a client that reads a stream. */
export function createRunOrSubscribe(schema: GraphQLSchema, runOperation: RunOperation): RunOperation {
  return async (run) => {
    const { openStream } = run.context as StreamContext;
    const isSubscription = run.operation?.operation === 'subscription';
    if (isSubscription && openStream) return openSource(schema, run, openStream);
    if (isSubscription) return { errors: [toGraphqlError(needsStream())] };
    if (openStream && run.operation) return { errors: [toGraphqlError(needsResponse())] };
    return runOperation(run);
  };
}

async function openSource(
  schema: GraphQLSchema,
  { document, operationName, variables, context }: OperationRun,
  openStream: NonNullable<StreamContext['openStream']>,
): Promise<ExecutionResult> {
  const source = await subscribe({ schema, document, operationName, variableValues: variables, contextValue: context });
  if (!(Symbol.asyncIterator in source)) return source;
  openStream(source);
  return {};
}

function needsStream(): GatewayError {
  return new GatewayError(
    'NotAcceptableError',
    'A subscription has a stream of results. Accept text/event-stream or multipart/mixed;subscriptionSpec=1.0 with a POST, or connect by WebSocket.',
  );
}

function needsResponse(): GatewayError {
  return new GatewayError(
    'BadDataError',
    'Only subscriptions are streamed. Send queries and mutations by HTTP, and accept application/json.',
  );
}
