import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation of all requests to the route, instead of the fields of GraphQL that they read. */
    operation?: string;
  }
}

/** Returns the operation of the route, the REST operation, the GraphQL field, or the route. Clients cannot invent names, so metrics have few labels. */
export function nameOperation({ statistics, routeOptions }: FastifyRequest): string {
  const { operationId } = (routeOptions.schema ?? {}) as { operationId?: string };
  if (operationId !== undefined) return `rest ${operationId}`;
  if (routeOptions.config?.operation !== undefined) return routeOptions.config.operation;
  return statistics.field ? `graphql ${statistics.field}` : (routeOptions.url ?? 'unknown');
}
