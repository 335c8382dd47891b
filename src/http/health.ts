import type { FastifyInstance } from 'fastify';
import { GatewayError } from '../errors.js';
import type { Metrics } from '../telemetry/metrics.js';

/** `/livez`: the process answers. `/readyz`: so does its database, and it is not about to stop. Open, as probes carry no token. */
export function registerHealth(app: FastifyInstance, findUnready: () => Promise<string | null>): void {
  const open = { config: { isOpen: true } };
  app.get('/livez', open, async () => ({ status: 'ok' }));
  app.get('/readyz', open, async () => {
    const reason = await findUnready();
    if (reason !== null) throw new GatewayError('ServiceUnavailableError', reason);
    return { status: 'ok' };
  });
}

/** `/metrics`: for Prometheus. Open, as it holds numbers alone; a proxy may keep it inside. */
export function registerMetrics(app: FastifyInstance, { contentType, render }: Pick<Metrics, 'contentType' | 'render'>): void {
  app.get('/metrics', { config: { isOpen: true } }, async (_, reply) => reply.type(contentType).send(await render()));
}
