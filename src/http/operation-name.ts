import type { FastifyRequest } from 'fastify';

/** Returns the REST operation, the GraphQL field, or the route. Clients cannot invent names, so metrics have few labels. */
export function nameOperation({ statistics, routeOptions }: FastifyRequest): string {
  const { operationId } = (routeOptions.schema ?? {}) as { operationId?: string };
  if (operationId !== undefined) return `rest ${operationId}`;
  return statistics.field ? `graphql ${statistics.field}` : (routeOptions.url ?? 'unknown');
}
