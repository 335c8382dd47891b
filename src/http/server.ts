import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { GatewayError } from '../errors.js';
import type { Observation } from '../telemetry/metrics.js';
import { createStatistics, type RequestStatistics } from '../telemetry/request-statistics.js';
import { type AuthenticationOptions, createAuthenticateRequest, registerAuthentication, warnOfProxy } from './authentication.js';
import { registerResponseHeaders } from './response-headers.js';
import { toHttpError } from './http-error.js';
import { nameOperation } from './operation-name.js';
import { toRequestId } from './request-id.js';
import { registerSpans } from './request-spans.js';
import { respondToMalformedRequests } from './malformed-requests.js';
import { limitSlowReaders } from './slow-readers.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** What is known of the request so far. */
    statistics: RequestStatistics;
  }
  interface FastifyContextConfig {
    /** The body of an error answer, where it is not the error body of spec 2.7. */
    renderError?: (error: GatewayError) => object;
  }
}

/** Longer than any path that Node's header limit of 16 KiB lets through: the name of a flag is never cut off or refused for its length. */
const MAX_PATH_PARAMETER_LENGTH = 16 * 1024;

/** By so much may a client be late with its request. */
const CHECKED_EVERY_MS = 1_000;

/** A smaller body is in one packet as it is. */
const COMPRESSED_FROM_BYTES = 1024;

/** A third of the time that gzip takes by default, and as small within a few percent; the default of 11 is for files that are compressed once. */
const BROTLI_QUALITY = 1;

/** What pages of other origins may read of an answer, besides its body. */
const EXPOSED_HEADERS = [
  'deprecation',
  'etag',
  'location',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
  'x-request-id',
];

export interface ServerOptions extends AuthenticationOptions {
  readonly log: FastifyBaseLogger;
  readonly toGatewayError: (thrown: unknown) => GatewayError;
  /** Whether clients had better find another gateway: it is about to stop. */
  readonly isStopping: () => boolean;
  /** Told of each request that was answered. */
  readonly observe: (observation: Observation) => void;
  /** Whether each request is a span of a trace. */
  readonly traced: boolean;
  readonly http: HttpConfig;
}

/** How HTTP is spoken. */
export interface HttpConfig {
  /** Addresses and networks of proxies whose `x-forwarded-for` is believed. */
  readonly trustedProxies: readonly string[];
  /** Origins of pages that may read answers; none by default. */
  readonly corsOrigins: readonly string[];
  readonly maxBodyBytes: number;
  /** How long a client has to send its request. */
  readonly requestTimeoutMs: number;
  /** How long a connection may be silent. */
  readonly idleTimeoutMs: number;
}

/**
 * The HTTP server without its routes: who calls is known before a body is read, every error leaves in one form, each request is one log line.
 * A route is closed unless its `config.isOpen` says otherwise.
 */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const authenticateRequest = createAuthenticateRequest(options);
  const sendError = createSendError(options);
  const app = createFastify(options, (error, request, reply) => {
    // A path that cannot be decoded reaches no hook, so the token is checked here.
    void authenticateRequest(request).then(
      () => sendError(error, request, reply),
      (refusal) => sendError(refusal, request, reply),
    );
  });
  // biome-ignore lint/style/noNonNullAssertion: set by the first hook of every request
  app.decorateRequest('statistics', null!);
  await registerPlugins(app, options.http);
  limitSlowReaders(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    request.statistics = createStatistics();
    done();
  });
  if (options.traced) registerSpans(app);
  registerResponseHeaders(app, options.isStopping);
  registerAuthentication(app, authenticateRequest);
  registerRequestLog(app, options.observe);
  if (options.http.trustedProxies.length === 0) warnOfProxy(app);
  // Node would answer an unknown expectation by itself, without a body; the HTTP specification lets us go on without it.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  // Fastify takes plain text too by itself.
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) =>
    sendError(new GatewayError('NotFoundError', 'There is nothing at this path for this method.'), request, reply),
  );
  return app;
}

type SendError = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** The one form in which errors leave. */
function createSendError({ toGatewayError, http }: ServerOptions): SendError {
  return (thrown, request, reply) => {
    const error = toHttpError(thrown, toGatewayError, http);
    error.logTo(request.log);
    if (error.retryAfterSeconds !== null) reply.header('retry-after', error.retryAfterSeconds);
    if (reply.hasHeader('etag')) reply.removeHeader('etag').header('cache-control', 'no-store');
    // Fastify would close the connection under a client that still sends, which then may not hear the answer. Node reads what it sends, and drops it.
    reply.removeHeader('connection');
    const render = request.routeOptions.config?.renderError;
    reply.header('x-request-id', request.id);
    return reply.code(error.status).send(render ? render(error) : error.toBody());
  };
}

function createFastify(
  { log, http }: ServerOptions,
  frameworkErrors: NonNullable<FastifyServerOptions['frameworkErrors']>,
): FastifyInstance {
  const { trustedProxies, requestTimeoutMs, idleTimeoutMs } = http;
  return Fastify({
    loggerInstance: log,
    requestIdHeader: false,
    genReqId: toRequestId,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    requestTimeout: requestTimeoutMs,
    // Node keeps to no time limit for a body where that for headers, its own of a minute, is longer; set here, before the server is made.
    http: { requestTimeout: requestTimeoutMs, headersTimeout: requestTimeoutMs, connectionsCheckingInterval: CHECKED_EVERY_MS },
    connectionTimeout: idleTimeoutMs,
    keepAliveTimeout: idleTimeoutMs,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: http.maxBodyBytes,
    forceCloseConnections: 'idle',
    // What still comes while the server closes is answered like everything else, and its connection closed.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PATH_PARAMETER_LENGTH },
    frameworkErrors,
    clientErrorHandler: respondToMalformedRequests(log),
  });
}

async function registerPlugins(app: FastifyInstance, { corsOrigins }: HttpConfig): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] } },
  });
  if (corsOrigins.length > 0) {
    await app.register(cors, { origin: [...corsOrigins], exposedHeaders: EXPOSED_HEADERS, maxAge: 600, strictPreflight: true });
  }
  await app.register(compress, {
    globalDecompression: false,
    threshold: COMPRESSED_FROM_BYTES,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
  });
}

/** One line and one observation for each request. */
function registerRequestLog(app: FastifyInstance, observe: ServerOptions['observe']): void {
  app.addHook('onResponse', (request, reply, done) => {
    // The route's pattern, never the URL: it may hold the secret of an invitation.
    const { method, routeOptions, caller, statistics } = request;
    const fields = {
      method,
      route: routeOptions.url ?? null,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime),
    };
    // What reaches no hook before has none.
    const { operation, cost } = statistics ?? createStatistics();
    // Of the two limits per minute, only the one of cost knows a caller.
    const refusedBy = reply.statusCode !== 429 ? null : caller ? 'cost' : 'failed_logins';
    observe({ operation: nameOperation(request), status: reply.statusCode, seconds: reply.elapsedTime / 1000, cost, refusedBy });
    // Of who has no valid token, nothing else is known.
    const who = caller ? { caller: caller.name } : { caller: null, address: request.ip };
    request.log.info({ ...fields, ...who, operation, cost }, 'request');
    done();
  });
}
