import type { Caller, ProjectScope } from '../auth/caller.js';
import type { Problems } from '../errors.js';
import type { EventCriteria } from './event.js';

/**
 * Adds the caller's project scope to the criteria, which event-conditions.store.ts turns into SQL. Every read of events for a
 * caller passes through this function. It checks no role, because every role may read.
 * @throws GatewayError BadDataError if the request has problems
 */
export function restrict(caller: Caller, criteria: EventCriteria, problems: Problems): EventCriteria {
  problems.throwIfAny();
  // A spread would make V8 create a hidden class for each request, as event.store.ts explains.
  return Object.assign({}, criteria, { visibleProjects: toVisibleProjects(caller.projects) });
}

function toVisibleProjects(projects: ProjectScope): EventCriteria['visibleProjects'] {
  if (projects === 'all') return undefined;
  return projects === 'any project' ? 'any' : projects;
}
