import { setMaxListeners } from 'node:events';
import type { WebSocket } from '@fastify/websocket';
import type { FastifyRequest } from 'fastify';
import { type ExecutionArgs, GraphQLError, type GraphQLFormattedError, parse } from 'graphql';
import { CloseCode, type ConnectionInitMessage, makeServer, type Server } from 'graphql-ws';
import type { Caller } from '../auth/caller.js';
import { GatewayError } from '../errors.js';
import type { RequestContext } from '../request-context.js';
import { createStatistics } from '../telemetry/request-statistics.js';
import type { DocumentParameters } from '../graphql/trusted-documents.js';
import type { ConnectionLimits } from './connection-limits.js';
import { StreamError, type StartStream, type StreamParameters } from '../graphql/start-stream.js';
import { createTextPayloads } from './text-payload.js';
import { serveWebsocket } from './websocket.js';

export interface WebsocketServerOptions {
  readonly startStream: StartStream;
  /** Finds the caller by the headers of the request. @throws GatewayError if it cannot be authenticated */
  readonly authenticate: (request: FastifyRequest) => Promise<Caller>;
  readonly toGatewayError: (thrown: unknown) => GatewayError;
  /** Returns the parameters with the text of the document. @throws GatewayError if the document must not run */
  readonly prepare: (parameters: DocumentParameters, context: RequestContext) => Promise<DocumentParameters>;
  readonly limits: ConnectionLimits;
}

/** One WebSocket. */
interface Connection {
  readonly socket: WebSocket;
  readonly request: FastifyRequest;
  /** Aborted once the connection is closed. */
  readonly signal: AbortSignal;
  /** The subscriptions that have started. */
  readonly running: Map<string, Running>;
}

interface Running {
  readonly context: RequestContext;
  readonly startedAt: number;
}

type Params = ConnectionInitMessage['payload'];

/** The subscriptions of one connection, with those that wait for their first result. It is the limit of pipelined requests, too. */
const MAX_AT_ONCE = 16;

/** Each running or waiting query of a subscription has one listener. Node.js warns of more. */
const MAX_LISTENERS = 200;

/** A WebSocket cannot send a longer reason. */
const MAX_REASON_BYTES = 123;

/** The code for a client that should connect again later. */
const TRY_AGAIN_LATER = 1013;

/** graphql-ws looks only at the kind of the operation. Apollo Server has parsed the document of the client. */
const ANY_SUBSCRIPTION = parse('subscription { eventFeed }');

/**
 * Serves the protocol `graphql-transport-ws`: https://github.com/graphql/graphql-over-http/blob/main/rfcs/GraphQLOverWebSocket.md
 * A browser cannot set headers of a WebSocket, so the token may also be `authorization` of `connectionParams`. It is looked up again for each
 * subscription.
 */
export function createWebsocketServer(options: WebsocketServerOptions) {
  const payloads = createTextPayloads();
  const server: Server<Connection> = makeServer<Params, Connection>({
    onConnect: ({ connectionParams, extra }) => connect(extra, connectionParams, options),
    onSubscribe: async ({ extra, subscriptions }, id, payload) => {
      try {
        if (Object.keys(subscriptions).length > MAX_AT_ONCE) throw tooManyAtOnce();
        return await subscribe(extra, id, payload as DocumentParameters, options);
      } catch (thrown) {
        return [new GraphQLError('', { originalError: toStreamError(thrown, extra.request, options) })];
      }
    },
    subscribe: ({ contextValue }) => contextValue as AsyncGenerator<never>,
    onNext: (_context, _id, _payload, _args, result) => payloads.toPayload(result),
    onError: ({ extra: { socket, request } }, _id, _payload, [error]) => {
      const { errors, status } = toStreamError(error?.originalError, request, options);
      // A token that was revoked is of no use for another subscription.
      if (status === 401) setImmediate(() => socket.close(CloseCode.Unauthorized, toReason(errors[0]?.message ?? '')));
      return errors as readonly GraphQLFormattedError[];
    },
    onComplete: ({ extra }, id) => logEnd(extra, id),
    jsonMessageReplacer: payloads.replace,
  });

  return (socket: WebSocket, request: FastifyRequest): void => {
    const closed = new AbortController();
    setMaxListeners(MAX_LISTENERS, closed.signal);
    socket.once('close', () => closed.abort());
    const { signal } = closed;
    const reset = () => request.raw.socket.resetAndDestroy();
    serveWebsocket(socket, server, { socket, request, signal, running: new Map() }, { reset, write: payloads.write });
  };
}

/** Authenticates a connection by its headers, or by the token of its first message. */
async function connect(
  { socket, request }: Connection,
  params: Params,
  { authenticate, limits, toGatewayError }: WebsocketServerOptions,
): Promise<boolean> {
  try {
    const token = params?.['authorization'] ?? params?.['Authorization'];
    if (typeof token === 'string') request.headers.authorization ??= token;
    const caller = await authenticate(request);
    if (socket.readyState !== socket.OPEN) return false;
    socket.once('close', limits.takeFor(caller.id));
    return true;
  } catch (thrown) {
    const error = thrown instanceof GatewayError ? thrown : toGatewayError(thrown);
    error.logTo(request.log);
    socket.close(toCloseCode(error), toReason(error.message));
    return false;
  }
}

async function subscribe(
  { request, signal, running }: Connection,
  id: string,
  payload: DocumentParameters,
  { authenticate, prepare, startStream }: WebsocketServerOptions,
): Promise<ExecutionArgs> {
  const startedAt = performance.now();
  const reauthenticate = () => authenticate(request);
  const context = {
    caller: await reauthenticate(),
    signal,
    log: request.log,
    reauthenticate,
    statistics: createStatistics(),
  };
  const parameters = await prepare(payload, context);
  running.set(id, { context, startedAt });
  const contextValue = await startStream(parameters as StreamParameters, context);
  return { document: ANY_SUBSCRIPTION, contextValue } as Partial<ExecutionArgs> as ExecutionArgs;
}

function toStreamError(thrown: unknown, request: FastifyRequest, { toGatewayError }: WebsocketServerOptions): StreamError {
  if (thrown instanceof StreamError) return thrown;
  const error = thrown instanceof GatewayError ? thrown : toGatewayError(thrown);
  error.logTo(request.log);
  return StreamError.from(error);
}

function logEnd({ running, request: { log } }: Connection, id: string): void {
  const found = running.get(id);
  if (!found) return;
  running.delete(id);
  const { operation, cost } = found.context.statistics;
  const durationMs = Math.round(performance.now() - found.startedAt);
  log.info({ durationMs, caller: found.context.caller.name, operation, cost }, 'subscription');
}

function toCloseCode({ status }: GatewayError): number {
  if (status === 401) return CloseCode.Unauthorized;
  if (status === 429 || status === 503) return TRY_AGAIN_LATER;
  return status === 403 ? CloseCode.Forbidden : CloseCode.InternalServerError;
}

function toReason(message: string): string {
  return Buffer.from(message)
    .toString('utf8', 0, MAX_REASON_BYTES)
    .replace(/\uFFFD$/, '');
}

function tooManyAtOnce(): GatewayError {
  return new GatewayError(
    'TooManyRequestsError',
    `A WebSocket has at most ${MAX_AT_ONCE} subscriptions. Complete one of them, or open another WebSocket.`,
    { limit: 'request' },
  );
}
