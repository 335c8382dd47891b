import { type DescribedEvent, read } from './event-details.js';
import { type Phrase, say } from './sentence-part.js';
import { type Describe, inEnvironment, named, userOf } from './subjects.js';

/** Sentences of events about secrets: API, CDN, personal and service account tokens, and invite links. No secret is shown. */
export const TOKEN_SENTENCES = {
  'api-token-created': (event) => say`created ${apiTokenOf(event)}${inEnvironment(event)}`,
  'api-token-updated': (event) => say`changed ${apiTokenOf(event)}${inEnvironment(event)}`,
  'api-token-deleted': (event) => say`deleted ${apiTokenOf(event)}${inEnvironment(event)}`,
  'cdn-token-created': (event) => say`created ${named(event, 'a CDN token', 'tokenName', 'name')}${inEnvironment(event)}`,
  'pat-created': (event) => say`created ${personalTokenOf(event)}`,
  'pat-deleted': (event) => say`deleted ${personalTokenOf(event)}`,
  'service-account-token-created': (event) => say`created ${serviceTokenOf(event)}`,
  'service-account-token-deleted': (event) => say`deleted ${serviceTokenOf(event)}`,
  'public-signup-token-created': (event) => say`created ${inviteLinkOf(event)}`,
  'public-signup-token-updated': (event) => say`${changeOfInviteLink(event)} ${inviteLinkOf(event)}`,
  'public-signup-token-user-added': (event) => say`added ${userOf(event)} by an invite link`,
} as const satisfies Readonly<Record<string, Describe>>;

const apiTokenOf = (event: DescribedEvent) => named(event, 'an API token', 'tokenName', 'username');

const personalTokenOf = (event: DescribedEvent) => named(event, 'a personal access token', 'description');

const serviceTokenOf = (event: DescribedEvent) => named(event, 'a service account token', 'description', 'tokenName');

const inviteLinkOf = (event: DescribedEvent): Phrase => named(event, 'an invite link', 'name');

function changeOfInviteLink({ data }: DescribedEvent): string {
  const isEnabled = read(data, 'enabled');
  if (isEnabled === false) return 'disabled';
  return isEnabled === true ? 'changed and enabled' : 'changed';
}
