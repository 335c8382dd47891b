import { createServer as createHttpServer } from 'node:http';
import cors from '@fastify/cors';
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
import type { ToGatewayError } from '../to-gateway-error.js';
import { type AuthenticationOptions, createAuthenticateRequest, registerAuthentication, warnOfProxy } from './authentication.js';
import { redirectBrowsers } from './browser-page.js';
import { registerCompression } from './compression.js';
import { COPY_AGE_HEADER } from './copy-age.js';
import { toHttpError } from './http-error.js';
import { refuseConnect, refuseInvalidUpgrades, rejectMissingHost, respondToMalformedRequests } from './malformed-requests.js';
import { trackOpenResponses } from './open-responses.js';
import { handleInOrder } from './pipelined-requests.js';
import { registerBodyRules } from './request-body.js';
import { toRequestId } from './request-id.js';
import { registerRequestLog } from './request-log.js';
import { registerSpans } from './request-spans.js';
import { registerResponseHeaders } from './response-headers.js';
import { registerSecurityHeaders } from './security-headers.js';
import { limitSlowReaders } from './slow-readers.js';
import { registerWebsockets } from './websocket-upgrades.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The data for the response headers, the log line and the metrics. Created by the first hook, and filled by later steps. */
    statistics: RequestStatistics;
  }
  interface FastifyContextConfig {
    /** Renders the body of an error response. The default is the error body of spec 2.7. */
    renderError?: (error: GatewayError) => object;
  }
}

/** The longest parameter of a path. Node's header limit of 16 KiB already rejects longer paths, so this rejects no flag name. */
const MAX_PATH_PARAMETER_LENGTH = 16 * 1024;

/** The interval at which Node checks the deadlines of requests. A request can exceed its deadline by this much. */
const CHECKED_EVERY_MS = 1_000;

/** The response headers that pages of other origins can read. */
const EXPOSED_HEADERS = [
  COPY_AGE_HEADER,
  ...'content-disposition deprecation etag link location ratelimit-limit ratelimit-remaining ratelimit-reset retry-after'.split(
    ' ',
  ),
  ...'x-export-count x-export-up-to x-feed-cursor x-request-id'.split(' '),
];

export interface ServerOptions extends AuthenticationOptions {
  readonly log: FastifyBaseLogger;
  readonly toGatewayError: ToGatewayError;
  /** Whether a shutdown has begun. Clients should then connect to another gateway. */
  readonly isStopping: () => boolean;
  /** Called after each response. */
  readonly observe: (observation: Observation) => void;
  /** Whether each request becomes a span of a trace. */
  readonly traced: boolean;
  readonly http: HttpConfig;
  /** The path that accepts WebSockets. */
  readonly websocketPath?: RegExp;
}

export interface HttpConfig {
  /** Addresses and networks of proxies whose `x-forwarded-for` header is trusted. */
  readonly trustedProxies: readonly string[];
  /** Origins of pages that can read responses. None by default. */
  readonly corsOrigins: readonly string[];
  readonly maxBodyBytes: number;
  /** How long a client has to send its request. */
  readonly requestTimeoutMs: number;
  /** How long a connection may be idle. */
  readonly idleTimeoutMs: number;
}

/**
 * Creates the HTTP server without its routes. It authenticates a request before it reads the body, sends all errors in one form,
 * and logs each request in one line. A route needs a token unless its `config.isOpen` is true.
 */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const authenticateRequest = createAuthenticateRequest(options);
  const sendError = createSendError(options);
  const app = createFastify(options, (error, request, reply) => {
    // A request whose path cannot be decoded reaches no `onRequest` hook, so its token is checked here.
    request.statistics = createStatistics();
    void authenticateRequest(request).then(
      () => sendError(error, request, reply),
      (rejection) => sendError(rejection, request, reply),
    );
  });
  // biome-ignore lint/style/noNonNullAssertion: set by the first hook, or above for a path that cannot be decoded
  app.decorateRequest('statistics', null!);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    request.statistics = createStatistics();
    done();
  });
  await registerPlugins(app, options.http);
  const { websocketPath, http } = options;
  if (websocketPath) {
    await registerWebsockets(app, { path: websocketPath, maxMessageBytes: http.maxBodyBytes });
    refuseInvalidUpgrades(app.websocketServer, options.log);
  }
  trackOpenResponses(app);
  limitSlowReaders(app);
  rejectMissingHost(app);
  registerBodyRules(app);
  if (options.traced) registerSpans(app);
  registerResponseHeaders(app, options.isStopping);
  redirectBrowsers(app);
  registerAuthentication(app, authenticateRequest);
  registerRequestLog(app, options.observe);
  if (options.http.trustedProxies.length === 0) warnOfProxy(app);
  // Node would send a 417 without a body for an unknown `Expect` header. The HTTP specification allows a server to ignore it.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  refuseConnect(app.server, options.log);
  // Fastify accepts bodies of plain text by default, but no route reads them.
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) =>
    sendError(new GatewayError('NotFoundError', 'There is no route for this method and path.'), request, reply),
  );
  return app;
}

type SendError = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Creates the one error handler of all routes. A route can change the form of its errors (`renderError`). */
function createSendError({ toGatewayError, http }: ServerOptions): SendError {
  return (thrown, request, reply) => {
    const error = toHttpError(thrown, toGatewayError, http);
    error.logTo(request.log);
    if (error.limit) request.statistics.limit = error.limit;
    if (error.status === 401) reply.header('www-authenticate', 'Bearer');
    if (error.retryAfterSeconds !== null) reply.header('retry-after', error.retryAfterSeconds);
    // The response may have failed after its body was compressed.
    reply.removeHeader('content-encoding');
    if (reply.hasHeader('etag')) reply.removeHeader('etag').header('cache-control', 'no-store');
    // Fastify sets `connection: close` when it rejects a body. While the client still sends the body, the response could be lost.
    // Without the header, Node reads and drops the body.
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
    serverFactory: (handle) =>
      createHttpServer(
        {
          requestTimeout: requestTimeoutMs,
          // If this is longer than `requestTimeout`, Node enforces no deadline for a body. The default is a minute.
          headersTimeout: requestTimeoutMs,
          connectionsCheckingInterval: CHECKED_EVERY_MS,
          keepAliveTimeout: idleTimeoutMs,
          requireHostHeader: false,
        },
        handleInOrder(handle, log),
      ).setTimeout(idleTimeoutMs),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: http.maxBodyBytes,
    forceCloseConnections: 'idle',
    // A request that arrives while the server closes gets its response, and then its connection is closed.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PATH_PARAMETER_LENGTH },
    frameworkErrors,
    clientErrorHandler: respondToMalformedRequests(log),
  });
}

async function registerPlugins(app: FastifyInstance, { corsOrigins }: HttpConfig): Promise<void> {
  registerSecurityHeaders(app);
  if (corsOrigins.length > 0) {
    await app.register(cors, { origin: [...corsOrigins], exposedHeaders: EXPOSED_HEADERS, maxAge: 600, strictPreflight: true });
  }
  registerCompression(app);
}
