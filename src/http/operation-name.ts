import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The name of the operation for all requests to the route, instead of the GraphQL field that they read. */
    operation?: string;
  }
}

/**
 * Returns the first of these names that exists: the REST operation, the `operation` of the route, the GraphQL field, the URL
 * pattern. Clients cannot invent names, so metrics have few labels.
 */
export function nameOperation({ statistics, routeOptions }: FastifyRequest): string {
  const { operationId } = (routeOptions.schema ?? {}) as { operationId?: string };
  if (operationId !== undefined) return `rest ${operationId}`;
  if (routeOptions.config?.operation !== undefined) return routeOptions.config.operation;
  return statistics.field ? `graphql ${statistics.field}` : (routeOptions.url ?? 'unknown');
}
