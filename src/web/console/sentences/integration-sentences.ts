import type { DescribedEvent } from './event-details.js';
import { say } from './sentence-part.js';
import { type Describe, inProject, named } from './subjects.js';

/** Sentences of events about what is connected to Unleash: integrations, signals, actions, and MCP. */
export const INTEGRATION_SENTENCES = {
  'addon-config-created': (event) => say`created ${integrationOf(event)}`,
  'addon-config-updated': (event) => say`changed ${integrationOf(event)}`,
  'addon-config-deleted': (event) => say`deleted ${integrationOf(event)}`,
  'signal-endpoint-created': (event) => say`created ${endpointOf(event)}`,
  'signal-endpoint-updated': (event) => say`changed ${endpointOf(event)}`,
  'signal-endpoint-deleted': (event) => say`deleted ${endpointOf(event)}`,
  'signal-endpoint-token-created': (event) => say`created ${endpointTokenOf(event)}`,
  'signal-endpoint-token-updated': (event) => say`changed ${endpointTokenOf(event)}`,
  'signal-endpoint-token-deleted': (event) => say`deleted ${endpointTokenOf(event)}`,
  'actions-created': (event) => say`created ${actionSetOf(event)}${inProject(event)}`,
  'actions-updated': (event) => say`changed ${actionSetOf(event)}${inProject(event)}`,
  'actions-deleted': (event) => say`deleted ${actionSetOf(event)}${inProject(event)}`,
  'remote-mcp-server-settings-updated': () => say`changed the settings of the remote MCP server`,
} as const satisfies Readonly<Record<string, Describe>>;

const integrationOf = (event: DescribedEvent) => named(event, 'an integration', 'provider', 'id');

const endpointOf = (event: DescribedEvent) => named(event, 'a signal endpoint', 'name', 'id');

const endpointTokenOf = (event: DescribedEvent) => named(event, 'a signal endpoint token', 'name', 'tokenName');

const actionSetOf = (event: DescribedEvent) => named(event, 'an action set', 'name', 'id');
