import type { ExecutionResult } from 'graphql';
import { createClient, NetworkError, type RequestParams } from 'graphql-sse';

export interface LiveRequest {
  readonly endpoint: URL;
  readonly headers: Record<string, string>;
  readonly request: RequestParams;
}

/**
 * Runs a subscription over server-sent events. GraphiQL shows the newest result.
 * @param onResult called for each result
 * @param toError returns the error that users see. Its argument is the response that rejected the request, if any
 */
export function openLiveResults(
  { endpoint, headers, request }: LiveRequest,
  onResult: () => void,
  toError: (response: Response | undefined) => Promise<unknown>,
): AsyncIterableIterator<ExecutionResult> {
  const client = createClient({ url: endpoint.href, headers, credentials: 'omit', retryAttempts: 0 });
  const results = client.iterate<Record<string, unknown>>(request);
  return {
    async next() {
      try {
        const result = await results.next();
        if (!result.done) onResult();
        return result as IteratorResult<ExecutionResult>;
      } catch (thrown) {
        throw await toError(thrown instanceof NetworkError ? thrown.response : undefined);
      }
    },
    async return() {
      client.dispose();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
