import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import {
  CancelledNotificationSchema,
  InitializeResultSchema,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
} from '@modelcontextprotocol/sdk/types.js';
import { readLimitedBody } from '../feed-client/limited-body.js';
import { cutText } from '../formats/text.js';
import { SERVER_ERROR } from './json-rpc.js';

export interface ForwardOptions {
  /** The URL of the path `/mcp` of a gateway. */
  readonly url: string;
  readonly token: string;
  /** Called with the reason of each failed request, which the agent gets as well. */
  readonly onFailure: (reason: string) => void;
}

/** The time limit for a response. A gateway normally responds earlier: by default, it cancels each query after 10 s. */
const TIMEOUT_MS = 60_000;

/** The longest response. The responses of a gateway are shorter: a page has some 20,000 characters. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** The most characters of a reason that the gateway gives. */
const MAX_REASON = 500;

/** A request that the gateway has not responded to yet. */
interface Pending {
  readonly cancel: () => void;
  readonly done: Promise<void>;
}

/** Forwards each message of standard input to a gateway, and its response to standard output, until standard input ends. */
export async function forwardStdio(options: ForwardOptions): Promise<void> {
  const { url, onFailure } = options;
  const stdio = new StdioServerTransport(process.stdin, process.stdout);
  const pending = new Map<RequestId, Pending>();
  const send = createSend(options);

  const forward = async (message: JSONRPCMessage, signal: AbortSignal): Promise<void> => {
    const response = await send(message, signal).catch((error: Error) => {
      if (signal.aborted) return null;
      const reason = `${url} did not give a valid response: ${reasonOf(error)}`;
      onFailure(reason);
      return { jsonrpc: '2.0' as const, error: { code: SERVER_ERROR, message: reason } };
    });
    if (response && isJSONRPCRequest(message)) await stdio.send({ ...response, id: message.id } as JSONRPCMessage);
  };

  stdio.onmessage = (message) => {
    const canceled = CancelledNotificationSchema.safeParse(message).data?.params.requestId;
    if (canceled !== undefined) return pending.get(canceled)?.cancel();
    const stop = new AbortController();
    const done = forward(message, stop.signal);
    if (!isJSONRPCRequest(message)) return;
    const { id } = message;
    pending.set(id, { cancel: () => stop.abort(), done: done.finally(() => pending.delete(id)) });
  };
  stdio.onerror = () => onFailure('A line of standard input is not a message of JSON-RPC.');
  const ended = new Promise<void>((resolve) => {
    stdio.onclose = resolve;
    process.stdin.once('end', resolve);
  });
  await stdio.start();
  await ended;
  await Promise.all([...pending.values()].map(({ done }) => done));
}

/** Creates a function that sends a message to the gateway. The function returns the response; null to a notification. */
function createSend({ url, token, onFailure }: ForwardOptions) {
  let protocolVersion: string | null = null;
  return async (message: JSONRPCMessage, signal: AbortSignal): Promise<object | null> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(protocolVersion !== null && { 'mcp-protocol-version': protocolVersion }),
      },
      body: JSON.stringify(message),
      // A redirect is an error, because the token is meant for this URL alone.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (response.status === 202) return null;
    const text = await readLimitedBody(response, MAX_RESPONSE_BYTES);
    if (text === null) throw new Error(`its response has more than ${MAX_RESPONSE_BYTES / 1024 / 1024} MB`);
    const body = parseJson(text) as { readonly jsonrpc?: string; readonly error?: { readonly message?: string } } | null;
    if (body?.jsonrpc !== '2.0') throw new Error(`it responded with ${response.status}`);
    if (!response.ok) onFailure(`${url} responded with ${response.status}: ${toSafeText(body.error?.message)}`);
    if (isJSONRPCResultResponse(body))
      protocolVersion = InitializeResultSchema.safeParse(body.result).data?.protocolVersion ?? protocolVersion;
    return body;
  };
}

/** The text of another server, cut and without characters that a terminal would obey. */
function toSafeText(message = 'without a reason'): string {
  return cutText(message, MAX_REASON).replaceAll(/\p{Cc}/gu, ' ');
}

/** Returns null for a text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function reasonOf(error: Error): string {
  if (error.name === 'TimeoutError') return `it did not respond within ${TIMEOUT_MS / 1000} s`;
  const { message = '' } = (error.cause ?? {}) as Partial<Error>;
  return message === '' ? error.message : message;
}
