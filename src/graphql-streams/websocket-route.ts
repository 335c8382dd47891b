import { type DocumentChecks, prepareParameters } from '../graphql/document-checks.js';
import type { WebsocketRoute } from '../graphql/route.js';
import { isOfSameHost, rejectForeignPages } from '../http/same-origin.js';
import { createSlots, type SlotLimits } from '../limits/slots.js';
import { createWebsocketServer, type WebsocketServerOptions } from './websocket-server.js';

export interface WebsocketRouteOptions extends Omit<WebsocketServerOptions, 'prepare' | 'slots'> {
  readonly checks: DocumentChecks;
  /** The limits of open WebSockets. Streams of the feed have the same limits, but are counted separately. */
  readonly limits: SlotLimits;
  /** The origins of other pages that may open a WebSocket. */
  readonly corsOrigins: readonly string[];
}

/** Creates the route that serves subscriptions over WebSockets. */
export function createWebsocketRoute({ checks, limits, corsOrigins, ...options }: WebsocketRouteOptions): WebsocketRoute {
  return {
    accept: (request) => rejectForeignPages(request, corsOrigins, isOfSameHost),
    serve: createWebsocketServer({
      ...options,
      prepare: (parameters, context) => prepareParameters(parameters, context, checks),
      slots: createSlots(limits, 'WebSockets'),
    }),
  };
}
