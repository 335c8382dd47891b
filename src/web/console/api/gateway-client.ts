import type { TypedDocumentString } from '../../../generated/console/graphql.js';
import { urlOf } from '../navigation/root.js';
import { GatewayFailure } from './gateway-failure.js';

/** The credential of a request: an API token, or an empty string for the session cookie of Unleash. */
export type Token = string;

/** Matches a token that a header can carry. For other characters, `fetch` throws an error that users cannot interpret. */
const HEADER_VALUE = /^[\x21-\x7e]*$/;

interface ResponseBody<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: { readonly id?: string; readonly name?: string };
  }[];
}

/**
 * Runs a GraphQL document of the console. The request contains the hash of the document instead of its text, because a gateway
 * can accept trusted documents only.
 * @throws GatewayFailure
 */
export async function runDocument<Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  { token, signal }: { readonly token: Token; readonly signal?: AbortSignal },
): Promise<Data> {
  const response = await sendRequest('graphql', token, {
    method: 'POST',
    headers: { accept: 'application/graphql-response+json, application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ documentId: document.__meta__?.['hash'], variables }),
    ...(signal && { signal }),
  });
  const body = await readBody<Data>(response);
  const [error] = body.errors ?? [];
  if (error || body.data == null) {
    throw new GatewayFailure(error?.message ?? `The response has status ${response.status} and no data.`, {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      ...error?.extensions,
      logId: error?.extensions?.id ?? null,
    });
  }
  return body.data;
}

/**
 * Sends a request with the token, or with the session cookie if the token is empty.
 * @throws GatewayFailure if the token has characters that a header cannot have, or if the gateway cannot be reached
 * @throws DOMException AbortError if the signal aborts
 */
export async function sendRequest(path: string, token: Token, init: RequestInit): Promise<Response> {
  if (!HEADER_VALUE.test(token)) {
    throw new GatewayFailure('The token contains characters that no token has.', { status: 401 });
  }
  const headers = new Headers(init.headers);
  if (token !== '') headers.set('authorization', token);
  // A request with a token omits the session cookie, which can belong to another user.
  const credentials = token === '' ? 'same-origin' : 'omit';
  return fetch(urlOf(path), { ...init, headers, credentials }).catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new GatewayFailure('The gateway cannot be reached.', { status: 0 });
  });
}

/** @throws GatewayFailure for a response that is not JSON, for example because it comes from a proxy */
async function readBody<Data>(response: Response): Promise<ResponseBody<Data>> {
  return response.json().catch(() => {
    throw new GatewayFailure(`The response has status ${response.status} and is not JSON.`, { status: response.status });
  });
}
