import type { FastifyInstance } from 'fastify';
import { GatewayError } from '../errors.js';

/** `/livez`: the process answers. `/readyz`: so does its database. Open, as probes carry no token. */
export function registerHealth(app: FastifyInstance, isDatabaseReady: () => Promise<boolean>): void {
  const open = { config: { isOpen: true } };
  app.get('/livez', open, async () => ({ status: 'ok' }));
  app.get('/readyz', open, async () => {
    if (!(await isDatabaseReady())) throw new GatewayError('ServiceUnavailableError', 'The database does not answer.');
    return { status: 'ok' };
  });
}
