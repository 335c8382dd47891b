import { setMaxListeners } from 'node:events';
import type { WebSocket } from '@fastify/websocket';
import type { FastifyRequest } from 'fastify';
import { type ExecutionArgs, GraphQLError, type GraphQLFormattedError, parse } from 'graphql';
import { CloseCode, type ConnectionInitMessage, makeServer, type Server } from 'graphql-ws';
import type { Caller } from '../auth/caller.js';
import { GatewayError } from '../errors.js';
import { type StartStream, StreamError, type StreamParameters, type StreamResults } from '../graphql/start-stream.js';
import type { DocumentParameters } from '../graphql/trusted-documents.js';
import type { Slots } from '../limits/slots.js';
import type { RequestContext } from '../request-context.js';
import type { Observation } from '../telemetry/metrics.js';
import { createStatistics } from '../telemetry/request-statistics.js';
import type { ToGatewayError } from '../to-gateway-error.js';
import { TRY_AGAIN_LATER, toCloseCode, toReason } from './close-reason.js';
import { createTextPayloads } from './text-payload.js';
import { serveWebsocket } from './websocket.js';

export interface WebsocketServerOptions {
  readonly startStream: StartStream;
  /** Finds the caller by the headers of the request. @throws GatewayError if there is no valid token */
  readonly authenticate: (request: FastifyRequest) => Promise<Caller>;
  readonly toGatewayError: ToGatewayError;
  /** Returns the parameters with the text of the document. @throws GatewayError if the document must not run */
  readonly prepare: (parameters: DocumentParameters, context: RequestContext) => Promise<DocumentParameters>;
  /** Limits the open WebSockets. A WebSocket takes a slot once its caller is authenticated. */
  readonly slots: Slots;
  /** Called at the end of each subscription. */
  readonly observe: (observation: Observation) => void;
}

/** One WebSocket. */
interface Connection {
  readonly socket: WebSocket;
  readonly request: FastifyRequest;
  /** Aborted once the connection is closed. */
  readonly signal: AbortSignal;
  /** The subscriptions that have begun and not ended yet, by their ids. */
  readonly running: Map<string, Running>;
  /** The number of subscriptions that wait for their first result, including those that the client has completed meanwhile. */
  starting: number;
  /** Drops the unsent result of a subscription. */
  drop: (id: string) => void;
  /** The number of subscriptions that were rejected because there were too many at once. */
  rejected: number;
}

interface Running {
  readonly context: RequestContext;
  readonly startedAt: number;
}

type Params = ConnectionInitMessage['payload'];

/** The most subscriptions of a connection, including those without a first result. */
const MAX_AT_ONCE = 16;

/** Subscriptions beyond `MAX_AT_ONCE` cost nothing of the budget. The connection is therefore closed after this many of them. */
const MAX_REJECTED = 100;

/** Node.js warns if a signal has more listeners than this. Each running or waiting query of a subscription has one listener. */
const MAX_LISTENERS = 200;

/** Two of the HTTP statuses that logs and metrics show for subscriptions. */
const OK = 200;
const TOO_MANY = 429;

/** Stands for the client's document, which Apollo Server has parsed. graphql-ws looks only at the kind of the operation. */
const ANY_SUBSCRIPTION = parse('subscription { eventFeed }');

/**
 * Serves the protocol `graphql-transport-ws`: https://github.com/graphql/graphql-over-http/blob/main/rfcs/GraphQLOverWebSocket.md
 * A browser cannot set headers of a WebSocket, so the token may also be `authorization` of `connectionParams`. Each subscription
 * looks up the token again.
 */
export function createWebsocketServer(options: WebsocketServerOptions) {
  const payloads = createTextPayloads();
  const server: Server<Connection> = makeServer<Params, Connection>({
    onConnect: ({ connectionParams, extra }) => connect(extra, connectionParams, options),
    onSubscribe: async ({ extra, subscriptions }, id, payload) => {
      try {
        extra.starting += 1;
        if (Math.max(extra.starting, Object.keys(subscriptions).length) > MAX_AT_ONCE) throw rejectBeyond(extra);
        return await subscribe(extra, id, payload as DocumentParameters, options);
      } catch (thrown) {
        const error = toStreamError(thrown, extra.request, options);
        report(extra, id, error.status, options);
        return [new GraphQLError('', { originalError: error })];
      } finally {
        extra.starting -= 1;
      }
    },
    subscribe: ({ contextValue }) => contextValue as AsyncGenerator<never>,
    onNext: (_context, _id, _payload, _args, result) => payloads.toPayload(result),
    onError: ({ extra: { socket, request } }, _id, _payload, [error]) => {
      const { errors, status } = toStreamError(error?.originalError, request, options);
      // Closes the connection, because a revoked token cannot be used for other subscriptions either.
      if (status === 401) setImmediate(() => socket.close(CloseCode.Unauthorized, toReason(errors[0]?.message ?? '')));
      return errors as readonly GraphQLFormattedError[];
    },
    onComplete: ({ extra }, id) => report(extra, id, OK, options),
    jsonMessageReplacer: payloads.replace,
  });

  return (socket: WebSocket, request: FastifyRequest): void => {
    const closed = new AbortController();
    setMaxListeners(MAX_LISTENERS, closed.signal);
    socket.once('close', () => closed.abort());
    const { signal } = closed;
    const reset = () => request.raw.socket.resetAndDestroy();
    const drop = () => undefined;
    const connection: Connection = { socket, request, signal, running: new Map(), starting: 0, rejected: 0, drop };
    const messages = serveWebsocket(socket, server, connection, { reset, write: payloads.write });
    connection.drop = (id) => messages.drop(id);
  };
}

/** Authenticates a connection by its headers, or by the token of its first message. */
async function connect(
  { socket, request }: Connection,
  params: Params,
  { authenticate, slots, toGatewayError }: WebsocketServerOptions,
): Promise<boolean> {
  try {
    const token = params?.['authorization'] ?? params?.['Authorization'];
    if (typeof token === 'string') request.headers.authorization ??= token;
    const caller = await authenticate(request);
    if (socket.readyState !== socket.OPEN) return false;
    socket.once('close', slots.take(caller.id));
    return true;
  } catch (thrown) {
    const error = thrown instanceof GatewayError ? thrown : toGatewayError(thrown);
    error.logTo(request.log);
    socket.close(toCloseCode(error), toReason(error.message));
    return false;
  }
}

async function subscribe(
  connection: Connection,
  id: string,
  payload: DocumentParameters,
  { authenticate, prepare, startStream }: WebsocketServerOptions,
): Promise<ExecutionArgs> {
  const { request, signal, running } = connection;
  const startedAt = performance.now();
  const reauthenticate = () => authenticate(request);
  const context = {
    caller: await reauthenticate(),
    signal,
    log: request.log,
    reauthenticate,
    statistics: createStatistics(),
  };
  running.set(id, { context, startedAt });
  const parameters = await prepare(payload, context);
  const stream = await startStream(parameters as StreamParameters, context);
  const end = (): ReturnType<typeof stream.return> => {
    // graphql-ws calls this when the client completes its subscription. The client then no longer wants its unsent result.
    connection.drop(id);
    return stream.return();
  };
  const contextValue: StreamResults = { ...stream, return: end };
  return { document: ANY_SUBSCRIPTION, contextValue } as Partial<ExecutionArgs> as ExecutionArgs;
}

function toStreamError(thrown: unknown, request: FastifyRequest, { toGatewayError }: WebsocketServerOptions): StreamError {
  if (thrown instanceof StreamError) return thrown;
  const error = thrown instanceof GatewayError ? thrown : toGatewayError(thrown);
  error.logTo(request.log);
  return StreamError.from(error);
}

/** Writes a log line and an observation for a subscription that has ended, like those of a request. */
function report({ running, request }: Connection, id: string, status: number, { observe }: WebsocketServerOptions): void {
  const found = running.get(id);
  if (!found) return;
  running.delete(id);
  const { caller, statistics } = found.context;
  const { operation, field, cost, limit } = statistics;
  const durationMs = Math.round(performance.now() - found.startedAt);
  const rejectedBy = status === TOO_MANY ? limit : null;
  observe({ operation: `graphql ${field ?? 'unknown'}`, status, seconds: durationMs / 1000, cost, rejectedBy });
  request.log.info({ status, durationMs, caller: caller.name, operation, cost }, 'subscription');
}

/** Returns the error of a subscription beyond `MAX_AT_ONCE`. Closes the connection after `MAX_REJECTED` such subscriptions. */
function rejectBeyond(connection: Connection): GatewayError {
  const message = `A WebSocket has at most ${MAX_AT_ONCE} subscriptions. Complete one of them, or open another WebSocket.`;
  connection.rejected += 1;
  if (connection.rejected >= MAX_REJECTED) connection.socket.close(TRY_AGAIN_LATER, toReason(message));
  return new GatewayError('TooManyRequestsError', message, { limit: 'request' });
}
