import type { FormattedExecutionResult, GraphQLFormattedError } from 'graphql';
import { toJson, toOneLine } from '../formats/json-text.js';

/** How a response writes the results of a subscription. */
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
 * Server-sent events as the "distinct connections mode" of graphql-sse has them:
 * https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md
 */
const SSE: StreamFormat = {
  contentType: 'text/event-stream; charset=utf-8',
  head: '',
  writeResult: (result) => `event: next\ndata: ${toOneLine(toJson(result))}\n\n`,
  writeErrors: (errors) => `event: next\ndata: ${toOneLine(toJson({ errors }))}\n\n`,
  // A browser dispatches no event without data.
  end: 'event: complete\ndata:\n\n',
};

const BOUNDARY = '\r\n--graphql';

const toPart = (content: object): string => `\r\ncontent-type: application/json\r\n\r\n${toJson(content)}${BOUNDARY}`;

/**
 * The multipart protocol of Apollo: https://www.apollographql.com/docs/graphos/routing/operations/subscriptions/multipart-protocol
 * The boundary that ends a part follows it at once, because a client reads a part only up to there.
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

/**
 * Chooses the format of a stream by the header `accept`. Clients such as urql also name types of streams, after those of JSON, when they send
 * a query.
 * @returns null for a client that prefers JSON, or accepts no format of a stream
 */
export function chooseStreamFormat(accept: string | undefined): StreamFormat | null {
  const ranges = (accept ?? '').split(',').map(parseRange);
  const [best] = ranges.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality);
  if (best?.type === SSE_TYPE) return SSE;
  return best?.type === MULTIPART_TYPE && best.isForSubscriptions ? MULTIPART : null;
}

function parseRange(text: string) {
  const [type = '', ...parameters] = text
    .toLowerCase()
    .replaceAll('"', '')
    .split(';')
    .map((part) => part.trim());
  const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1');
  return { type, quality, isForSubscriptions: parameters.includes('subscriptionspec=1.0') };
}
