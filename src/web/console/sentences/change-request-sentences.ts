import { type DescribedEvent, findValue } from './event-details.js';
import { type Phrase, say } from './sentence-part.js';
import { type Describe, inProject, linkTo, named } from './subjects.js';

/** Sentences of events about change requests. */
export const CHANGE_REQUEST_SENTENCES = {
  'change-request-created': (event) => say`opened ${requestOf(event)}`,
  'change-request-discarded': (event) => say`discarded ${requestOf(event)}`,
  'change-request-sent-to-review': (event) => say`sent ${requestOf(event)} to review`,
  'change-request-requested-approvers-updated': (event) => say`changed who is asked to approve ${requestOf(event)}`,
  'change-request-approval-added': (event) => say`added an approval to ${requestOf(event)}`,
  'change-request-approved': (event) => say`approved ${requestOf(event)}`,
  'change-request-rejected': (event) => say`rejected ${requestOf(event)}`,
  'change-request-cancelled': (event) => say`cancelled ${requestOf(event)}`,
  'change-request-scheduled': (event) => say`scheduled ${requestOf(event)}`,
  'change-request-schedule-suspended': (event) => say`suspended the schedule of ${requestOf(event)}`,
  'change-request-scheduled-application-success': (event) => say`applied ${requestOf(event)} as scheduled`,
  'change-request-scheduled-application-failure': (event) => say`could not apply ${requestOf(event)} as scheduled`,
  'change-request-applied': (event) => say`applied ${requestOf(event)}`,
  'change-request-configuration-updated': (event) => say`changed the settings of change requests${forPlace(event)}`,
  'change-added': (event) => say`added a change${ofFlag(event)} to ${requestOfChange(event)}`,
  'change-edited': (event) => say`edited a change${ofFlag(event)} in ${requestOfChange(event)}`,
  'change-discarded': (event) => say`discarded a change${ofFlag(event)} from ${requestOfChange(event)}`,
} as const satisfies Readonly<Record<string, Describe>>;

const requestOf = (event: DescribedEvent): Phrase =>
  say`${named(event, 'a change request', 'changeRequestId', 'id')}${forPlace(event)}`;

/** Names the change request of an event about a single change. Ignores `id` in the data, which can be the id of the change. */
const requestOfChange = (event: DescribedEvent): Phrase =>
  say`${named(event, 'a change request', 'changeRequestId')}${forPlace(event)}`;

/** Returns " for production in project web-shop". Omits what the event does not have. */
function forPlace(event: DescribedEvent): Phrase {
  const environment = linkTo('environment', event.environment);
  return say`${environment && say` for ${environment}`}${inProject(event)}`;
}

function ofFlag(event: DescribedEvent): Phrase {
  const flag = linkTo('flag', event.featureName) ?? linkTo('flag', findValue(event, 'feature'));
  return flag ? say` of ${flag}` : [];
}
