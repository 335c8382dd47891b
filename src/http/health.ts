import type { FastifyInstance } from 'fastify';
import { GatewayError } from '../errors.js';
import type { Metrics } from '../telemetry/metrics.js';

/**
 * Serves `/livez`, which says whether the process responds, and `/readyz`, which says whether it can serve
 * (database/readiness.ts). Both are open, because probes send no token.
 * @param describe returns further fields of the body of `/readyz`
 */
export function registerHealth(app: FastifyInstance, findUnready: () => Promise<string | null>, describe: () => object): void {
  const open = { config: { isOpen: true } };
  app.get('/livez', open, async () => ({ status: 'ok' }));
  app.get('/readyz', open, async () => {
    const reason = await findUnready();
    if (reason !== null) throw new GatewayError('ServiceUnavailableError', reason);
    return { status: 'ok', ...describe() };
  });
}

/** Serves `/metrics` for Prometheus. It needs no token, since it contains only numbers. A proxy can block access from outside. */
export function registerMetrics(app: FastifyInstance, { contentType, render }: Pick<Metrics, 'contentType' | 'render'>): void {
  app.get('/metrics', { config: { isOpen: true } }, async (_, reply) => reply.type(contentType).send(await render()));
}
