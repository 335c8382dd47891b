/** The rights of the token in use. */
export interface Viewer {
  readonly name: string;
  readonly role: 'VIEWER' | 'ADMIN';
  /** Null if the token is not limited to projects. */
  readonly projects: readonly string[] | null;
  /** Null for a token that does not expire, and for a token of an Unleash server, which does not report the expiry. */
  readonly expiresAt: string | null;
}

export const VIEWER_QUERY = 'query Viewer { viewer { name role projects expiresAt } }';

/** A longer list of projects would push the editors down. */
const SHOWN_PROJECTS = 3;

/** The rights in words, such as "dashboard, VIEWER, project default, expires 31 Dec 2026, 23:59". */
export function describeViewer({ name, role, projects, expiresAt }: Viewer): string {
  const parts = [name, role, describeProjects(projects)];
  if (expiresAt !== null) {
    parts.push(`expires ${new Date(expiresAt).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })}`);
  }
  return parts.join(', ');
}

function describeProjects(projects: Viewer['projects']): string {
  if (projects === null) return 'all projects';
  if (projects.length === 0) return 'no projects';
  const more = projects.length - SHOWN_PROJECTS;
  const shown = projects.slice(0, SHOWN_PROJECTS).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return `${projects.length === 1 ? 'project' : 'projects'} ${shown}`;
}
