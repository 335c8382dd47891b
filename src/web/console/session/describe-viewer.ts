import type { Viewer } from './session.js';

/** A longer list of projects would not fit beside the name. */
const SHOWN_PROJECTS = 3;

export function describeProjects({ projects }: Viewer): string {
  if (projects == null) return 'all projects';
  if (projects.length === 0) return 'no projects';
  const more = projects.length - SHOWN_PROJECTS;
  const shown = projects.slice(0, SHOWN_PROJECTS).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return `${projects.length === 1 ? 'project' : 'projects'} ${shown}`;
}

/** Returns a text such as "expires 31 Dec 2026, 23:59". Null if the token does not expire, or if its expiry is unknown. */
export function describeExpiry({ expiresAt }: Viewer): string | null {
  if (expiresAt == null) return null;
  return `expires ${new Date(expiresAt).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })}`;
}
