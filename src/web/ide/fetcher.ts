import type { GraphiQLProps } from 'graphiql';
import { type ExecutionResult, Kind, type OperationDefinitionNode, parse } from 'graphql';
import { openLiveResults } from './live-results';
import type { TokenStatus } from './token-status';
import { VIEWER_QUERY, type Viewer } from './viewer';

type Fetcher = GraphiQLProps['fetcher'];

/** The URL is relative to the page, so that a reverse proxy can mount the gateway below a prefix. */
const ENDPOINT = new URL('../graphql', document.baseURI);

/** Matches a token that a header can carry. For other characters, `fetch` throws an error that users cannot interpret. */
const HEADER_VALUE = /^[\x20-\x7e]+$/;

const NOT_REACHED = 'The gateway cannot be reached.';

/**
 * Returns the fetcher of GraphiQL. It sends each request, introspection included, with `token`, and calls `report` with what the
 * response says about the token. With an empty token, it sends nothing and throws an error.
 */
export function createFetcher(token: string, report: (status: TokenStatus) => void): Fetcher {
  /** Reports `status`. @returns an error with its reason, which GraphiQL shows */
  const toFailure = (status: TokenStatus & { reason: string }): Error => {
    report(status);
    return toShownError(status.reason);
  };

  const readResponse = async (response: Response | undefined): Promise<ExecutionResult> => {
    if (!response) throw toFailure({ kind: 'failed', reason: NOT_REACHED });
    const result = await readResult(response);
    const message = result?.errors?.[0]?.message;
    if (response.status === 401) throw toFailure({ kind: 'rejected', reason: message ?? 'The gateway does not accept it.' });
    if (!result) throw toFailure({ kind: 'failed', reason: `The response has status ${response.status} and is not JSON.` });
    // Only a success or a 400 shows that the token was accepted. The gateway can send other statuses before it checks the token,
    // such as 429 to a blocked address.
    const isAccepted = response.ok || response.status === 400;
    const reason = message ?? `The response has status ${response.status}.`;
    report(isAccepted ? { kind: 'accepted' } : { kind: 'failed', reason });
    return result;
  };

  return async (request, options) => {
    if (token === '') throw toShownError('Nothing was sent: enter an API token above first.');
    if (!HEADER_VALUE.test(token)) throw toFailure({ kind: 'rejected', reason: 'It contains characters that no token has.' });
    const operations = readOperations(request.query);
    const operation =
      operations.length === 1 ? operations[0] : operations.find(({ name }) => name?.value === request.operationName);
    const { query, variables = {} } = request;
    const operationName = operation?.name?.value ?? request.operationName;
    if (operation?.operation !== 'subscription') {
      return readResponse(await send(token, { ...request, operationName }, options?.headers));
    }
    return openLiveResults(
      {
        endpoint: ENDPOINT,
        headers: { ...options?.headers, authorization: token },
        request: { query, variables, ...(operationName && { operationName }) },
      },
      () => report({ kind: 'accepted' }),
      (response) =>
        readResponse(response).then(
          (result) => toShownError(result.errors?.[0]?.message ?? 'The stream was interrupted.'),
          (error) => error,
        ),
    );
  };
}

/** Returns the rights of an accepted token, or null if the gateway does not return them. */
export async function readViewer(token: string): Promise<Viewer | null> {
  const response = await send(token, { query: VIEWER_QUERY, operationName: 'Viewer' });
  const result = response?.ok ? await readResult(response) : undefined;
  return (result?.data?.viewer as Viewer | undefined) ?? null;
}

/**
 * Parses the operations of `query`. The syntax tree and the name that GraphiQL passes can be wrong: for 100 ms after a change of
 * the tab, GraphiQL still passes those of the previous tab.
 */
function readOperations(query: string): OperationDefinitionNode[] {
  try {
    return parse(query, { noLocation: true }).definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  } catch {
    return []; // The gateway reports the syntax error.
  }
}

function send(token: string, request: object, others: HeadersInit = {}): Promise<Response | undefined> {
  const headers = new Headers(others);
  headers.set('accept', 'application/graphql-response+json, application/json');
  headers.set('content-type', 'application/json');
  headers.set('authorization', token);
  const body = JSON.stringify(request);
  return fetch(ENDPOINT, { method: 'POST', headers, body, credentials: 'omit' }).catch(() => undefined);
}

/** Returns undefined if the response is not JSON, for example because it comes from a proxy. */
async function readResult(response: Response): Promise<ExecutionResult | undefined> {
  return response.json().catch(() => undefined);
}

/** Creates an error without a stack. GraphiQL would show the stack, which is useless for minified code. */
function toShownError(message: string): Error {
  const error = new Error(message);
  delete error.stack;
  return error;
}
