import { rejectForeignPages } from '../http/foreign-pages.js';
import { createConnectionLimits } from './connection-limits.js';
import type { WebsocketRoute } from '../graphql/route.js';
import { type DocumentChecks, prepareParameters } from '../graphql/document-checks.js';
import { createWebsocketServer, type WebsocketServerOptions } from './websocket-server.js';

export interface WebsocketRouteOptions extends Omit<WebsocketServerOptions, 'prepare' | 'limits'> {
  readonly checks: DocumentChecks;
  readonly limits: Parameters<typeof createConnectionLimits>[0];
  /** The origins of other pages that may open a WebSocket. */
  readonly corsOrigins: readonly string[];
}

/** Subscriptions over WebSockets. */
export function createWebsocketRoute({ checks, limits, corsOrigins, ...options }: WebsocketRouteOptions): WebsocketRoute {
  return {
    accept: (request) => rejectForeignPages(request, corsOrigins),
    serve: createWebsocketServer({
      ...options,
      prepare: (parameters, context) => prepareParameters(parameters, context, checks),
      limits: createConnectionLimits(limits),
    }),
  };
}
