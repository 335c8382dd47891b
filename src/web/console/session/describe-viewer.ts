import type { Viewer } from './session.js';

/** A longer list of projects would not fit beside the name. */
const SHOWN_PROJECTS = 3;

/** The projects of a token in words. */
export function describeProjects({ projects }: Viewer): string {
  if (projects == null) return 'all projects';
  if (projects.length === 0) return 'no projects';
  const more = projects.length - SHOWN_PROJECTS;
  const shown = projects.slice(0, SHOWN_PROJECTS).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return `${projects.length === 1 ? 'project' : 'projects'} ${shown}`;
}

/** When a token expires, in words; null if it does not. */
export function describeExpiry({ expiresAt }: Viewer): string | null {
  if (expiresAt == null) return null;
  return `expires ${new Date(expiresAt).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })}`;
}
