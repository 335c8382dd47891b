import type { FastifyRequest } from 'fastify';

/** One of few names, whatever clients send: the operation of the REST API, the fields of a GraphQL document, or the route. */
export function nameOperation({ statistics, routeOptions }: FastifyRequest): string {
  const { operationId } = (routeOptions.schema ?? {}) as { operationId?: string };
  if (operationId !== undefined) return `rest ${operationId}`;
  // What reaches no hook has no statistics.
  return statistics?.field ? `graphql ${statistics.field}` : (routeOptions.url ?? 'unknown');
}
