import { type DescribedEvent, findLine, findValue, read, toLine } from './event-details.js';
import { type Phrase, say } from './sentence-part.js';
import { type Describe, environmentOf, groupOf, nameOf, projectNamed, userOf } from './subjects.js';

/** Sentences of events about projects, their members and their environments. */
export const PROJECT_SENTENCES = {
  'project-created': (event) => say`created ${projectOfData(event)}`,
  'project-updated': (event) => say`changed ${projectOfData(event)}`,
  'project-deleted': (event) => say`deleted ${projectOfData(event)}`,
  'project-archived': (event) => say`archived ${projectOfData(event)}`,
  'project-revived': (event) => say`revived ${projectOfData(event)} from the archive`,
  'project-import': (event) => say`imported ${projectOfData(event)}`,
  'drop-projects': () => say`removed all projects`,
  'project-favorited': (event) => say`added ${projectOfData(event)} to their favorites`,
  'project-unfavorited': (event) => say`removed ${projectOfData(event)} from their favorites`,
  'project-environment-added': (event) => say`added ${environmentOf(event, 'environment')} to ${projectOfData(event)}`,
  'project-environment-removed': (event) => say`removed ${environmentOf(event, 'environment')} from ${projectOfData(event)}`,
  'project-access-added': (event) => say`gave access to ${projectOfData(event)}${toMembers(event)}`,
  'project-access-updated': (event) => say`changed who has access to ${projectOfData(event)}`,
  'project-access-user-roles-updated': (event) => say`changed the roles of ${userOf(event)} in ${projectOfData(event)}`,
  'project-access-group-roles-updated': (event) => say`changed the roles of ${groupOf(event)} in ${projectOfData(event)}`,
  'project-access-user-roles-deleted': (event) => say`removed all roles of ${userOf(event)} in ${projectOfData(event)}`,
  'project-access-group-roles-deleted': (event) => say`removed all roles of ${groupOf(event)} in ${projectOfData(event)}`,
  'project-user-added': (event) => say`added ${userOf(event)} to ${projectOfData(event)}`,
  'project-user-removed': (event) => say`removed ${userOf(event)} from ${projectOfData(event)}`,
  'project-user-role-changed': (event) => say`changed the role of ${userOf(event)} in ${projectOfData(event)}${toRole(event)}`,
  'project-group-added': (event) => say`added ${groupOf(event)} to ${projectOfData(event)}`,
  'project-group-removed': (event) => say`removed ${groupOf(event)} from ${projectOfData(event)}`,
  'project-group-role-changed': (event) => say`changed the role of ${groupOf(event)} in ${projectOfData(event)}${toRole(event)}`,
} as const satisfies Readonly<Record<string, Describe>>;

/** The project of the event. Some events have it only in their data. */
const projectOfData = (event: DescribedEvent): Phrase =>
  projectNamed(toLine(event.project) ? event.project : findValue(event, 'project', 'id'));

function toRole(event: DescribedEvent): Phrase {
  const role = findLine(event, 'roleName', 'role');
  return role === undefined ? [] : say` to ${nameOf(role)}`;
}

/** Returns " for 2 users and 1 group". Omits users or groups if the data does not list them. */
function toMembers({ data }: DescribedEvent): Phrase {
  const counts = (['user', 'group'] as const).flatMap((noun) => {
    const members = read(data, `${noun}s`);
    const count = Array.isArray(members) ? members.length : 0;
    return count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`];
  });
  return counts.length === 0 ? [] : say` for ${counts.join(' and ')}`;
}
