import type { ApolloServer } from '@apollo/server';
import type { ExecutionResult, FormattedExecutionResult, GraphQLError, GraphQLFormattedError } from 'graphql';
import { GatewayError } from '../errors.js';
import type { RequestContext } from '../request-context.js';
import { type ErrorMask, toFormattedError, toRequestErrors } from './format-error.js';
import type { StreamContext } from './open-stream.js';

/** The parameters of a GraphQL request, with the text of its document. */
export interface StreamParameters {
  readonly query: string;
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The errors that a client gets instead of a stream, or at the end of a stream. They are already masked and logged. */
export class StreamError extends Error {
  constructor(
    readonly errors: readonly GraphQLFormattedError[],
    /** The HTTP status, for a client that has not received one yet. */
    readonly status: number,
    /** The time after which the client should try again. */
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(errors[0]?.message ?? 'The operation has no result.');
  }

  static from(error: GatewayError): StreamError {
    return new StreamError(toRequestErrors(error).errors, error.status, error.retryAfterSeconds);
  }
}

type Results = AsyncGenerator<FormattedExecutionResult, void>;

/** The results of a subscription. `return` also cancels the running query. */
export type StreamResults = Pick<Results, 'next' | 'return' | 'throw'> & AsyncIterable<FormattedExecutionResult>;

/**
 * Starts a subscription, and waits for its first result.
 * @throws StreamError if the document, its cost or its first result is rejected. Later results can throw a StreamError, too.
 */
export type StartStream = (parameters: StreamParameters, context: RequestContext) => Promise<StreamResults>;

/** The reason with which the signal of a stream is aborted. */
const ENDED = new GatewayError('ClientClosedRequest', 'The stream has ended.');

/**
 * Creates the core of all streaming transports, which turns a document into a stream of results. The document passes the pipeline
 * of Apollo Server like a query, so it has the same limits, cost and errors. Only its execution differs (open-stream.ts).
 */
export function createStartStream(apollo: ApolloServer<RequestContext>, mask: ErrorMask): StartStream {
  return async ({ query, operationName, variables }, requestContext) => {
    const ending = new AbortController();
    let source: AsyncIterable<ExecutionResult> | null = null;
    let results: Results | null = null;
    const end = () => {
      requestContext.signal.removeEventListener('abort', end);
      ending.abort(ENDED);
      // Ends results that nobody has begun to read. They would otherwise count as an open stream forever.
      void results?.return();
    };
    if (requestContext.signal.aborted) end();
    else requestContext.signal.addEventListener('abort', end);

    const context: StreamContext = { ...requestContext, signal: ending.signal, openStream: (opened) => (source = opened) };
    const request = { query, ...(operationName && { operationName }), ...(variables && { variables: { ...variables } }) };
    const { body, http } = await apollo.executeOperation(request, { contextValue: context }).catch((error: unknown) => {
      end();
      throw error;
    });
    if (!source) {
      end();
      const errors = body.kind === 'single' ? (body.singleResult.errors ?? []) : [];
      throw new StreamError(errors, http.status ?? 200);
    }
    results = formatResults(source, context, mask, end);
    const first = await results.next();
    // The client may have left while the first result was read.
    if (ending.signal.aborted) end();
    return endAtReturn(results, first, end);
  };
}

/** Yields the results with masked errors. Also masks an error that the source throws, and logs all errors. */
async function* formatResults(
  source: AsyncIterable<ExecutionResult>,
  { signal, log, statistics }: RequestContext,
  mask: ErrorMask,
  end: () => void,
): Results {
  const format = (error: GraphQLError) => {
    const masked = mask(error);
    masked.logTo(log);
    return toFormattedError(error.toJSON(), masked);
  };
  try {
    for await (const { errors, data } of source) yield { ...(errors && { errors: errors.map(format) }), ...(data && { data }) };
  } catch (thrown) {
    // After the end of the stream, nobody reads an error.
    if (signal.aborted) return;
    const error = mask(thrown as Error);
    error.logTo(log);
    if (error.limit) statistics.limit = error.limit;
    throw StreamError.from(error);
  } finally {
    end();
  }
}

/**
 * Returns `first` and all further results. To stop, calls `end` before `return`: `end` cancels the running query, and a generator
 * cannot return while it waits for a result.
 */
function endAtReturn(results: Results, first: IteratorResult<FormattedExecutionResult, void>, end: () => void): StreamResults {
  let known: typeof first | null = first;
  const next = async () => {
    const result = known ?? (await results.next());
    known = null;
    return result;
  };
  const stop = (): Promise<IteratorResult<FormattedExecutionResult, void>> => {
    known = null;
    end();
    return results.return();
  };
  return { next, return: stop, throw: stop, [Symbol.asyncIterator]: () => ({ next, return: stop }) };
}
