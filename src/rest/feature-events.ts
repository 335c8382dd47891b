import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { FeatureEventsDocument } from '../generated/graphql/graphql.js';
import type { Execute } from './execute.js';
import { toWireEvent } from './wire-event.js';
import { errorResponses, FeatureEvents } from './wire-schemas.js';

const schema = {
  operationId: 'getEventsForFeature',
  tags: ['Events'],
  summary: 'List events of one feature flag',
  description: 'Returns all events related to the named feature flag. When the flag does not exist, the list is empty.',
  params: Type.Object({ featureName: Type.String({ description: 'The name of the flag, taken exactly as decoded.' }) }),
  response: {
    200: { ...FeatureEvents, description: 'All events of the flag, newest first.' },
    ...errorResponses('BadDataError', 'PermissionError'),
  },
};

/** Spec 4.1. */
export function registerFeatureEvents(app: FastifyInstance, execute: Execute): void {
  app.get<{ Params: { featureName: string } }>('/api/admin/events/:featureName', { schema }, async ({ params, caller, log }) => {
    const { featureEvents } = await execute(FeatureEventsDocument, { featureName: params.featureName }, { caller, log });
    return { ...featureEvents, events: featureEvents.events.map(toWireEvent) };
  });
}
