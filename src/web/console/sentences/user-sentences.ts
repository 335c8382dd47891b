import type { DescribedEvent } from './event-details.js';
import { say } from './sentence-part.js';
import { type Describe, groupOf, named, userOf } from './subjects.js';

/** Sentences of events about users, groups, roles and service accounts. */
export const USER_SENTENCES = {
  'user-created': (event) => say`created ${userOf(event)}`,
  'user-updated': (event) => say`changed ${userOf(event)}`,
  'user-deleted': (event) => say`deleted ${userOf(event)}`,
  'user-preference-updated': () => say`changed their own preferences`,
  'user-access-request-registered': (event) => say`recorded the access request of ${userOf(event)}`,
  'user-access-request-approved': (event) => say`approved the access request of ${userOf(event)}`,
  'user-access-request-rejected': (event) => say`rejected the access request of ${userOf(event)}`,
  'group-created': (event) => say`created ${groupOf(event)}`,
  'group-updated': (event) => say`changed ${groupOf(event)}`,
  'group-deleted': (event) => say`deleted ${groupOf(event)}`,
  'group-user-added': (event) => say`added ${memberOf(event)} to ${groupOfMember(event)}`,
  'group-user-removed': (event) => say`removed ${memberOf(event)} from ${groupOfMember(event)}`,
  'scim-users-deleted': () => say`deleted all users that SCIM manages`,
  'scim-groups-deleted': () => say`deleted all groups that SCIM manages`,
  'role-created': (event) => say`created ${roleOf(event)}`,
  'role-updated': (event) => say`changed ${roleOf(event)}`,
  'role-deleted': (event) => say`deleted ${roleOf(event)}`,
  'service-account-created': (event) => say`created ${serviceAccountOf(event)}`,
  'service-account-updated': (event) => say`changed ${serviceAccountOf(event)}`,
  'service-account-deleted': (event) => say`deleted ${serviceAccountOf(event)}`,
} as const satisfies Readonly<Record<string, Describe>>;

// These functions ignore `name` and `id`, which can belong to the user or to the group in these events.
const memberOf = (event: DescribedEvent) => named(event, 'a user', 'username', 'email', 'userId');
const groupOfMember = (event: DescribedEvent) => named(event, 'a group', 'groupName', 'groupId');

const roleOf = (event: DescribedEvent) => named(event, 'a role', 'name', 'id');

const serviceAccountOf = (event: DescribedEvent) => named(event, 'a service account', 'name', 'username', 'id');
