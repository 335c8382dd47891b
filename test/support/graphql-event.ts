import { EVENT_TYPES } from '../../src/events/event-types.js';
import type { WireEvent } from './recorded-log.js';

/** Every field of an event in GraphQL. */
export const EVENT_FIELDS = `
  id createdAt type typeName createdBy createdByUserId environment project featureName data preData storedTags tags { type value }`;

const LISTED: readonly string[] = EVENT_TYPES;

/** Returns a recorded event as GraphQL has to return it for `EVENT_FIELDS`. */
export function toGraphqlEvent(event: WireEvent) {
  const { id, createdAt, createdBy, createdByUserId, environment, project, featureName, data, preData } = event;
  return {
    ...{ id, createdAt, createdBy, createdByUserId, environment, project, featureName, data, preData },
    type: LISTED.includes(event.type) ? event.type.toUpperCase().replaceAll('-', '_') : 'OTHER',
    typeName: event.type,
    storedTags: event.tags,
    tags: event.tags.map(({ type, value }) => ({ type, value })),
  };
}
