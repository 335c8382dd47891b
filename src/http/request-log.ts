import type { FastifyInstance } from 'fastify';
import type { Observation } from '../telemetry/metrics.js';
import { nameOperation } from './operation-name.js';

/** Writes one log line and one observation for each request. */
export function registerRequestLog(app: FastifyInstance, observe: (observation: Observation) => void): void {
  app.addHook('onResponse', (request, reply, done) => {
    // The line contains the route pattern and never the URL, which may contain the secret of an invite link.
    const { method, routeOptions, context, statistics } = request;
    const route = routeOptions.url ?? null;
    const durationMs = Math.round(reply.elapsedTime);
    const { operation, cost, limit } = statistics;
    const rejectedBy = reply.statusCode === 429 ? limit : null;
    observe({ operation: nameOperation(request), status: reply.statusCode, seconds: reply.elapsedTime / 1000, cost, rejectedBy });
    const { statusCode: status } = reply;
    // A client without a valid token is identified by its address only.
    const line = context
      ? { method, route, status, durationMs, caller: context.caller.name, operation, cost }
      : { method, route, status, durationMs, caller: null, address: request.ip, operation, cost };
    request.log.info(line, 'request');
    done();
  });
}
