import type { FormattedExecutionResult, GraphQLFormattedError } from 'graphql';
import { toJson, toOneLine } from '../formats/json-text.js';
import { parseAccept } from '../http/accept.js';

/** The format of a response with the results of a subscription. */
export interface StreamFormat {
  readonly contentType: string;
  /** The text before the first result. */
  readonly head: string;
  writeResult(result: FormattedExecutionResult): string;
  /** Writes errors that end the stream. */
  writeErrors(errors: readonly GraphQLFormattedError[]): string;
  /** The text after the last result. */
  readonly end: string;
}

/**
 * Server-sent events as the "distinct connections mode" of graphql-sse defines them:
 * https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md
 */
const SSE: StreamFormat = {
  contentType: 'text/event-stream; charset=utf-8',
  head: '',
  writeResult: (result) => `event: next\ndata: ${toOneLine(toJson(result))}\n\n`,
  writeErrors: (errors) => `event: next\ndata: ${toOneLine(toJson({ errors }))}\n\n`,
  // Without the empty `data`, a browser would not dispatch the event.
  end: 'event: complete\ndata:\n\n',
};

const BOUNDARY = '\r\n--graphql';

const toPart = (content: object): string => `\r\ncontent-type: application/json\r\n\r\n${toJson(content)}${BOUNDARY}`;

/**
 * Apollo's multipart protocol: https://www.apollographql.com/docs/graphos/routing/operations/subscriptions/multipart-protocol
 * Each part is sent together with the boundary that ends it, because a client waits for the boundary before it reads the part.
 */
const MULTIPART: StreamFormat = {
  contentType: 'multipart/mixed;boundary="graphql";subscriptionSpec=1.0',
  head: BOUNDARY,
  writeResult: (payload) => toPart({ payload }),
  writeErrors: (errors) => toPart({ payload: null, errors }),
  end: '--\r\n',
};

const SSE_TYPE = 'text/event-stream';
const MULTIPART_TYPE = 'multipart/mixed';

/** The parameter that names Apollo's protocol. A client that omits it expects the parts of another multipart protocol. */
const MULTIPART_PARAMETER = 'subscriptionspec=1.0';

/**
 * Chooses the format of a stream by the header `accept`. Only the type that the client prefers most counts. Clients such as urql
 * also list the types of streams for a query, but after JSON.
 * @returns null for a client that prefers JSON, or accepts no type of stream
 */
export function chooseStreamFormat(accept: string | undefined): StreamFormat | null {
  const [best] = parseAccept(accept);
  if (!best || best.quality === 0) return null;
  if (best.range === SSE_TYPE) return SSE;
  return best.range === MULTIPART_TYPE && best.parameters.includes(MULTIPART_PARAMETER) ? MULTIPART : null;
}
