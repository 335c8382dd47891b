import type { GraphiQLProps } from 'graphiql';
import type { ExecutionResult } from 'graphql';
import type { TokenStatus } from './token-status';

type Fetcher = GraphiQLProps['fetcher'];

/** Beside the page and not at a fixed path, so that the gateway may be mounted below a prefix by a reverse proxy. */
const ENDPOINT = new URL('../graphql', document.baseURI);

/** What a header can carry. `fetch` throws a riddle on anything else. */
const HEADER_VALUE = /^[\x20-\x7e]+$/;

/**
 * Sends what GraphiQL asks, introspection included, with `token`, and reports what each answer says of it.
 * Without a token nothing is sent.
 */
export function createFetcher(token: string, report: (status: TokenStatus) => void): Fetcher {
  const fail = (status: TokenStatus & { reason: string }): never => {
    report(status);
    throw toShownError(status.reason);
  };

  return async (request, options) => {
    if (token === '') throw toShownError('Nothing was sent: enter an API token above first.');
    if (!HEADER_VALUE.test(token)) return fail({ kind: 'refused', reason: 'It has characters that no token has.' });

    const headers = new Headers(options?.headers);
    headers.set('accept', 'application/graphql-response+json, application/json');
    headers.set('content-type', 'application/json');
    headers.set('authorization', token);
    const response = await send(headers, JSON.stringify(request));
    if (!response) return fail({ kind: 'unanswered', reason: 'The gateway cannot be reached.' });

    const answer = await readAnswer(response);
    const message = answer?.errors?.[0]?.message;
    if (response.status === 401) return fail({ kind: 'refused', reason: message ?? 'The gateway does not know it.' });
    if (!answer) return fail({ kind: 'unanswered', reason: `The gateway answered with status ${response.status} and no JSON.` });
    report(
      response.status < 500
        ? { kind: 'accepted' }
        : { kind: 'unanswered', reason: message ?? 'Something went wrong in the gateway.' },
    );
    return answer;
  };
}

function send(headers: Headers, body: string): Promise<Response | undefined> {
  return fetch(ENDPOINT, { method: 'POST', headers, body, credentials: 'omit' }).catch(() => undefined);
}

/** Undefined if it is no JSON, as from a proxy in between. */
async function readAnswer(response: Response): Promise<ExecutionResult | undefined> {
  return response.json().catch(() => undefined);
}

/** GraphiQL shows an error with its stack, which of minified code tells nobody anything. */
function toShownError(message: string): Error {
  const error = new Error(message);
  delete error.stack;
  return error;
}
