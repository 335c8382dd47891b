/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** What happened to a value between `preData` and `data`. */
export type ChangeKind =
  /** The value is only in `data`. */
  | 'ADDED'
  /** The value is another one in `data`. */
  | 'CHANGED'
  /** The element of a list has another place relative to the other elements that both lists have. `before` and `after` are its positions, from 0. Changes within it are separate items. */
  | 'MOVED'
  /** The value is only in `preData`. */
  | 'REMOVED';

/** The length of a bucket, on the clock and the calendar of the time zone. */
export type CountInterval =
  /** The shortest interval that gives at most 60 buckets. If months give more, quarters, years or decades. */
  | 'AUTO'
  /** A day, which has 23 or 25 hours when the clock changes. */
  | 'DAY'
  /** An hour. */
  | 'HOUR'
  /** A minute. */
  | 'MINUTE'
  /** A month. */
  | 'MONTH'
  /** A week, from Monday. */
  | 'WEEK';

/** The property of events by which `eventCounts` groups them. */
export type EventDimension =
  /** The name of the user who created the event. */
  | 'CREATED_BY'
  /** The environment. */
  | 'ENVIRONMENT'
  /** The name of the feature flag. */
  | 'FEATURE'
  /** The id of the project. */
  | 'PROJECT'
  /** The type, such as `feature-created`. */
  | 'TYPE';

/** Selects events. Fields are combined with AND, the values of one list with OR. An omitted field includes all events; an empty list is an error, except for `ids`. A list has at most 500 values. */
export type EventFilter = {
  /** Names of the users who created the events, as in `createdBy`, exact and case-sensitive. */
  createdByNames?: Array<string> | null | undefined;
  /** Ids of the users who created the events. */
  createdByUserIds?: Array<number> | null | undefined;
  /** Environments, exact and case-sensitive. */
  environments?: Array<string> | null | undefined;
  /** Names of feature flags, exact and case-sensitive. */
  features?: Array<string> | null | undefined;
  /** The first day of the range of creation dates, in UTC. */
  from?: string | null | undefined;
  /** Ids of events. An empty list matches nothing. */
  ids?: Array<number> | null | undefined;
  /** Ids of projects, exact and case-sensitive. */
  projects?: Array<string> | null | undefined;
  /** Free text: matches a literal part of the JSON text of the parts in `searchIn`, ignoring case. `%`, `_` and `\` have no special meaning. An empty text includes all events. At most 1000 characters. */
  query?: string | null | undefined;
  /** The parts of an event that `query` searches. By default only `data`. */
  searchIn?: Array<EventTextField> | null | undefined;
  /** The first instant of the range of creation times, to the millisecond. Combined with `from` and `to` by AND. */
  since?: string | null | undefined;
  /** The last day of the range of creation dates, in UTC. A day before `from` matches nothing. */
  to?: string | null | undefined;
  /** Event types as exact strings, such as `feature-created`, including types that `EventType` does not list. */
  typeNames?: Array<string> | null | undefined;
  /** Event types. `OTHER` means all types that this API does not list. Types in `typeNames` match too. */
  types?: Array<EventType> | null | undefined;
  /** The end of the range of creation times, to the millisecond: events at this instant do not match. An instant before `since` matches nothing. */
  until?: string | null | undefined;
};

/** The parts of an event that `query` searches. */
export type EventTextField =
  /** The JSON text of `data`. */
  | 'DATA'
  /** The JSON text of `preData`. */
  | 'PRE_DATA'
  /** The JSON text of `tags`. */
  | 'TAGS';

/** The type of an event. Each value is the type on the wire in upper snake case: `feature-created` is `FEATURE_CREATED`. `Event.typeName` always has the exact string. */
export type EventType =
  /** `actions-created` */
  | 'ACTIONS_CREATED'
  /** `actions-deleted` */
  | 'ACTIONS_DELETED'
  /** `actions-updated` */
  | 'ACTIONS_UPDATED'
  /** `addon-config-created` */
  | 'ADDON_CONFIG_CREATED'
  /** `addon-config-deleted` */
  | 'ADDON_CONFIG_DELETED'
  /** `addon-config-updated` */
  | 'ADDON_CONFIG_UPDATED'
  /** `api-token-created` */
  | 'API_TOKEN_CREATED'
  /** `api-token-deleted` */
  | 'API_TOKEN_DELETED'
  /** `api-token-updated` */
  | 'API_TOKEN_UPDATED'
  /** `application-created` */
  | 'APPLICATION_CREATED'
  /** `banner-created` */
  | 'BANNER_CREATED'
  /** `banner-deleted` */
  | 'BANNER_DELETED'
  /** `banner-updated` */
  | 'BANNER_UPDATED'
  /** `cdn-token-created` */
  | 'CDN_TOKEN_CREATED'
  /** `change-added` */
  | 'CHANGE_ADDED'
  /** `change-discarded` */
  | 'CHANGE_DISCARDED'
  /** `change-edited` */
  | 'CHANGE_EDITED'
  /** `change-request-applied` */
  | 'CHANGE_REQUEST_APPLIED'
  /** `change-request-approval-added` */
  | 'CHANGE_REQUEST_APPROVAL_ADDED'
  /** `change-request-approved` */
  | 'CHANGE_REQUEST_APPROVED'
  /** `change-request-cancelled` */
  | 'CHANGE_REQUEST_CANCELLED'
  /** `change-request-configuration-updated` */
  | 'CHANGE_REQUEST_CONFIGURATION_UPDATED'
  /** `change-request-created` */
  | 'CHANGE_REQUEST_CREATED'
  /** `change-request-discarded` */
  | 'CHANGE_REQUEST_DISCARDED'
  /** `change-request-rejected` */
  | 'CHANGE_REQUEST_REJECTED'
  /** `change-request-requested-approvers-updated` */
  | 'CHANGE_REQUEST_REQUESTED_APPROVERS_UPDATED'
  /** `change-request-scheduled` */
  | 'CHANGE_REQUEST_SCHEDULED'
  /** `change-request-scheduled-application-failure` */
  | 'CHANGE_REQUEST_SCHEDULED_APPLICATION_FAILURE'
  /** `change-request-scheduled-application-success` */
  | 'CHANGE_REQUEST_SCHEDULED_APPLICATION_SUCCESS'
  /** `change-request-schedule-suspended` */
  | 'CHANGE_REQUEST_SCHEDULE_SUSPENDED'
  /** `change-request-sent-to-review` */
  | 'CHANGE_REQUEST_SENT_TO_REVIEW'
  /** `client-metrics` */
  | 'CLIENT_METRICS'
  /** `client-register` */
  | 'CLIENT_REGISTER'
  /** `context-field-created` */
  | 'CONTEXT_FIELD_CREATED'
  /** `context-field-deleted` */
  | 'CONTEXT_FIELD_DELETED'
  /** `context-field-updated` */
  | 'CONTEXT_FIELD_UPDATED'
  /** `db-pool-update` */
  | 'DB_POOL_UPDATE'
  /** `default-strategy-updated` */
  | 'DEFAULT_STRATEGY_UPDATED'
  /** `drop-environments` */
  | 'DROP_ENVIRONMENTS'
  /** `drop-features` */
  | 'DROP_FEATURES'
  /** `drop-feature-tags` */
  | 'DROP_FEATURE_TAGS'
  /** `drop-projects` */
  | 'DROP_PROJECTS'
  /** `drop-strategies` */
  | 'DROP_STRATEGIES'
  /** `drop-tags` */
  | 'DROP_TAGS'
  /** `drop-tag-types` */
  | 'DROP_TAG_TYPES'
  /** `environment-created` */
  | 'ENVIRONMENT_CREATED'
  /** `environment-deleted` */
  | 'ENVIRONMENT_DELETED'
  /** `environment-import` */
  | 'ENVIRONMENT_IMPORT'
  /** `environment-updated` */
  | 'ENVIRONMENT_UPDATED'
  /** `features-exported` */
  | 'FEATURES_EXPORTED'
  /** `features-imported` */
  | 'FEATURES_IMPORTED'
  /** `feature-archived` */
  | 'FEATURE_ARCHIVED'
  /** `feature-completed` */
  | 'FEATURE_COMPLETED'
  /** `feature-created` */
  | 'FEATURE_CREATED'
  /** `feature-deleted` */
  | 'FEATURE_DELETED'
  /** `feature-dependencies-removed` */
  | 'FEATURE_DEPENDENCIES_REMOVED'
  /** `feature-dependency-added` */
  | 'FEATURE_DEPENDENCY_ADDED'
  /** `feature-dependency-removed` */
  | 'FEATURE_DEPENDENCY_REMOVED'
  /** `feature-environment-disabled` */
  | 'FEATURE_ENVIRONMENT_DISABLED'
  /** `feature-environment-enabled` */
  | 'FEATURE_ENVIRONMENT_ENABLED'
  /** `feature-environment-variants-updated` */
  | 'FEATURE_ENVIRONMENT_VARIANTS_UPDATED'
  /** `feature-favorited` */
  | 'FEATURE_FAVORITED'
  /** `feature-import` */
  | 'FEATURE_IMPORT'
  /** `feature-link-added` */
  | 'FEATURE_LINK_ADDED'
  /** `feature-link-removed` */
  | 'FEATURE_LINK_REMOVED'
  /** `feature-link-updated` */
  | 'FEATURE_LINK_UPDATED'
  /** `feature-metadata-updated` */
  | 'FEATURE_METADATA_UPDATED'
  /** `feature-potentially-stale-on` */
  | 'FEATURE_POTENTIALLY_STALE_ON'
  /** `feature-project-change` */
  | 'FEATURE_PROJECT_CHANGE'
  /** `feature-revived` */
  | 'FEATURE_REVIVED'
  /** `feature-stale-off` */
  | 'FEATURE_STALE_OFF'
  /** `feature-stale-on` */
  | 'FEATURE_STALE_ON'
  /** `feature-strategy-add` */
  | 'FEATURE_STRATEGY_ADD'
  /** `feature-strategy-remove` */
  | 'FEATURE_STRATEGY_REMOVE'
  /** `feature-strategy-update` */
  | 'FEATURE_STRATEGY_UPDATE'
  /** `feature-tagged` */
  | 'FEATURE_TAGGED'
  /** `feature-tag-import` */
  | 'FEATURE_TAG_IMPORT'
  /** `feature-type-updated` */
  | 'FEATURE_TYPE_UPDATED'
  /** `feature-uncompleted` */
  | 'FEATURE_UNCOMPLETED'
  /** `feature-unfavorited` */
  | 'FEATURE_UNFAVORITED'
  /** `feature-untagged` */
  | 'FEATURE_UNTAGGED'
  /** `feature-updated` */
  | 'FEATURE_UPDATED'
  /** `feature-variants-updated` */
  | 'FEATURE_VARIANTS_UPDATED'
  /** `group-created` */
  | 'GROUP_CREATED'
  /** `group-deleted` */
  | 'GROUP_DELETED'
  /** `group-updated` */
  | 'GROUP_UPDATED'
  /** `group-user-added` */
  | 'GROUP_USER_ADDED'
  /** `group-user-removed` */
  | 'GROUP_USER_REMOVED'
  /** `impact-metric-created` */
  | 'IMPACT_METRIC_CREATED'
  /** `impact-metric-deleted` */
  | 'IMPACT_METRIC_DELETED'
  /** `impact-metric-updated` */
  | 'IMPACT_METRIC_UPDATED'
  /** `milestone-progression-changed` */
  | 'MILESTONE_PROGRESSION_CHANGED'
  /** `milestone-progression-created` */
  | 'MILESTONE_PROGRESSION_CREATED'
  /** `milestone-progression-deleted` */
  | 'MILESTONE_PROGRESSION_DELETED'
  /** `milestone-progression-updated` */
  | 'MILESTONE_PROGRESSION_UPDATED'
  /** A type that this API does not list. `typeName` has its exact string. */
  | 'OTHER'
  /** `pat-created` */
  | 'PAT_CREATED'
  /** `pat-deleted` */
  | 'PAT_DELETED'
  /** `project-access-added` */
  | 'PROJECT_ACCESS_ADDED'
  /** `project-access-group-roles-deleted` */
  | 'PROJECT_ACCESS_GROUP_ROLES_DELETED'
  /** `project-access-group-roles-updated` */
  | 'PROJECT_ACCESS_GROUP_ROLES_UPDATED'
  /** `project-access-updated` */
  | 'PROJECT_ACCESS_UPDATED'
  /** `project-access-user-roles-deleted` */
  | 'PROJECT_ACCESS_USER_ROLES_DELETED'
  /** `project-access-user-roles-updated` */
  | 'PROJECT_ACCESS_USER_ROLES_UPDATED'
  /** `project-archived` */
  | 'PROJECT_ARCHIVED'
  /** `project-created` */
  | 'PROJECT_CREATED'
  /** `project-deleted` */
  | 'PROJECT_DELETED'
  /** `project-environment-added` */
  | 'PROJECT_ENVIRONMENT_ADDED'
  /** `project-environment-removed` */
  | 'PROJECT_ENVIRONMENT_REMOVED'
  /** `project-favorited` */
  | 'PROJECT_FAVORITED'
  /** `project-group-added` */
  | 'PROJECT_GROUP_ADDED'
  /** `project-group-removed` */
  | 'PROJECT_GROUP_REMOVED'
  /** `project-group-role-changed` */
  | 'PROJECT_GROUP_ROLE_CHANGED'
  /** `project-import` */
  | 'PROJECT_IMPORT'
  /** `project-revived` */
  | 'PROJECT_REVIVED'
  /** `project-unfavorited` */
  | 'PROJECT_UNFAVORITED'
  /** `project-updated` */
  | 'PROJECT_UPDATED'
  /** `project-user-added` */
  | 'PROJECT_USER_ADDED'
  /** `project-user-removed` */
  | 'PROJECT_USER_REMOVED'
  /** `project-user-role-changed` */
  | 'PROJECT_USER_ROLE_CHANGED'
  /** `public-signup-token-created` */
  | 'PUBLIC_SIGNUP_TOKEN_CREATED'
  /** `public-signup-token-updated` */
  | 'PUBLIC_SIGNUP_TOKEN_UPDATED'
  /** `public-signup-token-user-added` */
  | 'PUBLIC_SIGNUP_TOKEN_USER_ADDED'
  /** `release-plan-added` */
  | 'RELEASE_PLAN_ADDED'
  /** `release-plan-milestone-started` */
  | 'RELEASE_PLAN_MILESTONE_STARTED'
  /** `release-plan-progressions-paused` */
  | 'RELEASE_PLAN_PROGRESSIONS_PAUSED'
  /** `release-plan-progressions-resumed` */
  | 'RELEASE_PLAN_PROGRESSIONS_RESUMED'
  /** `release-plan-removed` */
  | 'RELEASE_PLAN_REMOVED'
  /** `release-plan-template-archived` */
  | 'RELEASE_PLAN_TEMPLATE_ARCHIVED'
  /** `release-plan-template-created` */
  | 'RELEASE_PLAN_TEMPLATE_CREATED'
  /** `release-plan-template-deleted` */
  | 'RELEASE_PLAN_TEMPLATE_DELETED'
  /** `release-plan-template-updated` */
  | 'RELEASE_PLAN_TEMPLATE_UPDATED'
  /** `remote-mcp-server-settings-updated` */
  | 'REMOTE_MCP_SERVER_SETTINGS_UPDATED'
  /** `role-created` */
  | 'ROLE_CREATED'
  /** `role-deleted` */
  | 'ROLE_DELETED'
  /** `role-updated` */
  | 'ROLE_UPDATED'
  /** `safeguard-changed` */
  | 'SAFEGUARD_CHANGED'
  /** `safeguard-deleted` */
  | 'SAFEGUARD_DELETED'
  /** `safeguard-triggered` */
  | 'SAFEGUARD_TRIGGERED'
  /** `scim-groups-deleted` */
  | 'SCIM_GROUPS_DELETED'
  /** `scim-users-deleted` */
  | 'SCIM_USERS_DELETED'
  /** `segment-created` */
  | 'SEGMENT_CREATED'
  /** `segment-deleted` */
  | 'SEGMENT_DELETED'
  /** `segment-import` */
  | 'SEGMENT_IMPORT'
  /** `segment-updated` */
  | 'SEGMENT_UPDATED'
  /** `service-account-created` */
  | 'SERVICE_ACCOUNT_CREATED'
  /** `service-account-deleted` */
  | 'SERVICE_ACCOUNT_DELETED'
  /** `service-account-token-created` */
  | 'SERVICE_ACCOUNT_TOKEN_CREATED'
  /** `service-account-token-deleted` */
  | 'SERVICE_ACCOUNT_TOKEN_DELETED'
  /** `service-account-updated` */
  | 'SERVICE_ACCOUNT_UPDATED'
  /** `setting-created` */
  | 'SETTING_CREATED'
  /** `setting-deleted` */
  | 'SETTING_DELETED'
  /** `setting-updated` */
  | 'SETTING_UPDATED'
  /** `signal-endpoint-created` */
  | 'SIGNAL_ENDPOINT_CREATED'
  /** `signal-endpoint-deleted` */
  | 'SIGNAL_ENDPOINT_DELETED'
  /** `signal-endpoint-token-created` */
  | 'SIGNAL_ENDPOINT_TOKEN_CREATED'
  /** `signal-endpoint-token-deleted` */
  | 'SIGNAL_ENDPOINT_TOKEN_DELETED'
  /** `signal-endpoint-token-updated` */
  | 'SIGNAL_ENDPOINT_TOKEN_UPDATED'
  /** `signal-endpoint-updated` */
  | 'SIGNAL_ENDPOINT_UPDATED'
  /** `strategy-created` */
  | 'STRATEGY_CREATED'
  /** `strategy-deleted` */
  | 'STRATEGY_DELETED'
  /** `strategy-deprecated` */
  | 'STRATEGY_DEPRECATED'
  /** `strategy-import` */
  | 'STRATEGY_IMPORT'
  /** `strategy-order-changed` */
  | 'STRATEGY_ORDER_CHANGED'
  /** `strategy-reactivated` */
  | 'STRATEGY_REACTIVATED'
  /** `strategy-updated` */
  | 'STRATEGY_UPDATED'
  /** `tag-created` */
  | 'TAG_CREATED'
  /** `tag-deleted` */
  | 'TAG_DELETED'
  /** `tag-import` */
  | 'TAG_IMPORT'
  /** `tag-type-created` */
  | 'TAG_TYPE_CREATED'
  /** `tag-type-deleted` */
  | 'TAG_TYPE_DELETED'
  /** `tag-type-import` */
  | 'TAG_TYPE_IMPORT'
  /** `tag-type-updated` */
  | 'TAG_TYPE_UPDATED'
  /** `user-access-request-approved` */
  | 'USER_ACCESS_REQUEST_APPROVED'
  /** `user-access-request-registered` */
  | 'USER_ACCESS_REQUEST_REGISTERED'
  /** `user-access-request-rejected` */
  | 'USER_ACCESS_REQUEST_REJECTED'
  /** `user-created` */
  | 'USER_CREATED'
  /** `user-deleted` */
  | 'USER_DELETED'
  /** `user-preference-updated` */
  | 'USER_PREFERENCE_UPDATED'
  /** `user-updated` */
  | 'USER_UPDATED';

/** The public signup token to create. */
export type PublicSignupTokenCreateInput = {
  /** When the token expires: an RFC 3339 date-time with a zone. A time in the past is accepted and creates a token that is not enabled. */
  expiresAt: string;
  /** The name of the token, with at least one character that is not blank. */
  name: string;
};

export type AgentEventFragment = { id: number, createdAt: string, createdBy: string, environment: string | null, project: string | null, featureName: string | null, data: unknown, preData: unknown, type: string, changes: { complete: boolean, items: Array<{ kind: ChangeKind, pointer: string, before: unknown, after: unknown }> } | null };

export type AgentGroupsFragment = { other: number, groups: Array<{ key: string | null, count: number }> };

export type AgentEventsQueryVariables = Exact<{
  filter?: EventFilter | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type AgentEventsQuery = { events: { totalCount: number, edges: Array<{ cursor: string, node: { id: number, createdAt: string, createdBy: string, environment: string | null, project: string | null, featureName: string | null, data: unknown, preData: unknown, type: string, changes: { complete: boolean, items: Array<{ kind: ChangeKind, pointer: string, before: unknown, after: unknown }> } | null } }>, pageInfo: { hasNextPage: boolean } } };

export type AgentCountsQueryVariables = Exact<{
  filter?: EventFilter | null | undefined;
  top: number;
}>;


export type AgentCountsQuery = { byType: { other: number, groups: Array<{ key: string | null, count: number }> }, byPerson: { other: number, groups: Array<{ key: string | null, count: number }> } };

export type WireEventFragment = { id: number, createdAt: string, createdBy: string, createdByUserId: number | null, environment: string | null, project: string | null, featureName: string | null, data: unknown, preData: unknown, type: string, tags: unknown };

export type WireSignupTokenFragment = { secret: string, url: string | null, name: string, enabled: boolean, expiresAt: string, createdAt: string, createdBy: string | null, users: Array<{ id: number, isAPI: boolean | null, name: string | null, email: string | null, username: string | null, imageUrl: string | null, inviteLink: string | null, loginAttempts: number | null, emailSent: boolean | null, rootRole: number | null, seenAt: string | null, createdAt: string | null, accountType: string | null, permissions: Array<string> | null, scimId: string | null }>, role: { id: number, type: string, name: string, description: string | null, project: string | null } };

export type FeatureEventsPageQueryVariables = Exact<{
  featureName: string;
  first: number;
  after?: string | null | undefined;
}>;


export type FeatureEventsPageQuery = { events: { nodes: Array<{ id: number, createdAt: string, createdBy: string, createdByUserId: number | null, environment: string | null, project: string | null, featureName: string | null, data: unknown, preData: unknown, type: string, tags: unknown }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type SearchEventsQueryVariables = Exact<{
  filter?: EventFilter | null | undefined;
  offset: number;
  limit: number;
}>;


export type SearchEventsQuery = { searchEvents: { version: string, total: number, events: Array<{ id: number, createdAt: string, createdBy: string, createdByUserId: number | null, environment: string | null, project: string | null, featureName: string | null, data: unknown, preData: unknown, type: string, tags: unknown }> } };

export type SearchEventsVersionQueryVariables = Exact<{
  filter?: EventFilter | null | undefined;
  offset: number;
  limit: number;
}>;


export type SearchEventsVersionQuery = { searchEvents: { version: string } };

export type EventCountsQueryVariables = Exact<{
  filter?: EventFilter | null | undefined;
  by?: EventDimension | null | undefined;
  interval?: CountInterval | null | undefined;
  timeZone: string;
  top: number;
}>;


export type EventCountsQuery = { eventCounts: { version: string, total: number, buckets: Array<{ start: string, count: number }>, groups: Array<{ key: string | null, count: number, counts: Array<number> }> } };

export type EventCountsVersionQueryVariables = Exact<{
  filter?: EventFilter | null | undefined;
}>;


export type EventCountsVersionQuery = { eventCounts: { version: string } };

export type SignupTokenQueryVariables = Exact<{
  secret: string;
}>;


export type SignupTokenQuery = { signupToken: { secret: string, url: string | null, name: string, enabled: boolean, expiresAt: string, createdAt: string, createdBy: string | null, users: Array<{ id: number, isAPI: boolean | null, name: string | null, email: string | null, username: string | null, imageUrl: string | null, inviteLink: string | null, loginAttempts: number | null, emailSent: boolean | null, rootRole: number | null, seenAt: string | null, createdAt: string | null, accountType: string | null, permissions: Array<string> | null, scimId: string | null }>, role: { id: number, type: string, name: string, description: string | null, project: string | null } } | null };

export type CreatePublicSignupTokenMutationVariables = Exact<{
  input: PublicSignupTokenCreateInput;
  idempotencyKey?: string | null | undefined;
}>;


export type CreatePublicSignupTokenMutation = { createPublicSignupToken: { secret: string, url: string | null, name: string, enabled: boolean, expiresAt: string, createdAt: string, createdBy: string | null, users: Array<{ id: number, isAPI: boolean | null, name: string | null, email: string | null, username: string | null, imageUrl: string | null, inviteLink: string | null, loginAttempts: number | null, emailSent: boolean | null, rootRole: number | null, seenAt: string | null, createdAt: string | null, accountType: string | null, permissions: Array<string> | null, scimId: string | null }>, role: { id: number, type: string, name: string, description: string | null, project: string | null } } };

export type EventExportStartQueryVariables = Exact<{
  filter?: EventFilter | null | undefined;
  after?: number | null | undefined;
  upTo?: number | null | undefined;
}>;


export type EventExportStartQuery = { eventExport: { upTo: number, feedCursor: string | null, count: number } };

export type EventExportPageQueryVariables = Exact<{
  filter?: EventFilter | null | undefined;
  after?: number | null | undefined;
  upTo: number;
  first: number;
}>;


export type EventExportPageQuery = { eventExport: { events: Array<{ id: number, createdAt: string, createdBy: string, createdByUserId: number | null, environment: string | null, project: string | null, featureName: string | null, data: unknown, preData: unknown, type: string, tags: unknown }> } };

export type EventFeedPageQueryVariables = Exact<{
  filter?: EventFilter | null | undefined;
  after: string;
  first: number;
}>;


export type EventFeedPageQuery = { eventFeed: { cursors: Array<string>, cursor: string, upToDate: boolean, events: Array<{ id: number, createdAt: string, createdBy: string, createdByUserId: number | null, environment: string | null, project: string | null, featureName: string | null, data: unknown, preData: unknown, type: string, tags: unknown }> } };

export const AgentEventFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AgentEvent"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Event"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","alias":{"kind":"Name","value":"type"},"name":{"kind":"Name","value":"typeName"}},{"kind":"Field","name":{"kind":"Name","value":"createdBy"}},{"kind":"Field","name":{"kind":"Name","value":"environment"}},{"kind":"Field","name":{"kind":"Name","value":"project"}},{"kind":"Field","name":{"kind":"Name","value":"featureName"}},{"kind":"Field","name":{"kind":"Name","value":"data"}},{"kind":"Field","name":{"kind":"Name","value":"preData"}},{"kind":"Field","name":{"kind":"Name","value":"changes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"complete"}},{"kind":"Field","name":{"kind":"Name","value":"items"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"pointer"}},{"kind":"Field","name":{"kind":"Name","value":"before"}},{"kind":"Field","name":{"kind":"Name","value":"after"}}]}}]}}]}}]} as unknown as DocumentNode<AgentEventFragment, unknown>;
export const AgentGroupsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AgentGroups"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"EventCounts"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"groups"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"count"}}]}},{"kind":"Field","name":{"kind":"Name","value":"other"}}]}}]} as unknown as DocumentNode<AgentGroupsFragment, unknown>;
export const WireEventFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WireEvent"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Event"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","alias":{"kind":"Name","value":"type"},"name":{"kind":"Name","value":"typeName"}},{"kind":"Field","name":{"kind":"Name","value":"createdBy"}},{"kind":"Field","name":{"kind":"Name","value":"createdByUserId"}},{"kind":"Field","name":{"kind":"Name","value":"environment"}},{"kind":"Field","name":{"kind":"Name","value":"project"}},{"kind":"Field","name":{"kind":"Name","value":"featureName"}},{"kind":"Field","name":{"kind":"Name","value":"data"}},{"kind":"Field","name":{"kind":"Name","value":"preData"}},{"kind":"Field","alias":{"kind":"Name","value":"tags"},"name":{"kind":"Name","value":"storedTags"}}]}}]} as unknown as DocumentNode<WireEventFragment, unknown>;
export const WireSignupTokenFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WireSignupToken"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PublicSignupToken"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"secret"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdBy"}},{"kind":"Field","name":{"kind":"Name","value":"users"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"isAPI"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"username"}},{"kind":"Field","name":{"kind":"Name","value":"imageUrl"}},{"kind":"Field","name":{"kind":"Name","value":"inviteLink"}},{"kind":"Field","name":{"kind":"Name","value":"loginAttempts"}},{"kind":"Field","name":{"kind":"Name","value":"emailSent"}},{"kind":"Field","name":{"kind":"Name","value":"rootRole"}},{"kind":"Field","name":{"kind":"Name","value":"seenAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"accountType"}},{"kind":"Field","name":{"kind":"Name","value":"permissions"}},{"kind":"Field","name":{"kind":"Name","value":"scimId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"role"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"project"}}]}}]}}]} as unknown as DocumentNode<WireSignupTokenFragment, unknown>;
export const AgentEventsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"AgentEvents"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"EventFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"events"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AgentEvent"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AgentEvent"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Event"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","alias":{"kind":"Name","value":"type"},"name":{"kind":"Name","value":"typeName"}},{"kind":"Field","name":{"kind":"Name","value":"createdBy"}},{"kind":"Field","name":{"kind":"Name","value":"environment"}},{"kind":"Field","name":{"kind":"Name","value":"project"}},{"kind":"Field","name":{"kind":"Name","value":"featureName"}},{"kind":"Field","name":{"kind":"Name","value":"data"}},{"kind":"Field","name":{"kind":"Name","value":"preData"}},{"kind":"Field","name":{"kind":"Name","value":"changes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"complete"}},{"kind":"Field","name":{"kind":"Name","value":"items"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"pointer"}},{"kind":"Field","name":{"kind":"Name","value":"before"}},{"kind":"Field","name":{"kind":"Name","value":"after"}}]}}]}}]}}]} as unknown as DocumentNode<AgentEventsQuery, AgentEventsQueryVariables>;
export const AgentCountsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"AgentCounts"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"EventFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"top"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"byType"},"name":{"kind":"Name","value":"eventCounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"by"},"value":{"kind":"EnumValue","value":"TYPE"}},{"kind":"Argument","name":{"kind":"Name","value":"top"},"value":{"kind":"Variable","name":{"kind":"Name","value":"top"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AgentGroups"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"byPerson"},"name":{"kind":"Name","value":"eventCounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"by"},"value":{"kind":"EnumValue","value":"CREATED_BY"}},{"kind":"Argument","name":{"kind":"Name","value":"top"},"value":{"kind":"Variable","name":{"kind":"Name","value":"top"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AgentGroups"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AgentGroups"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"EventCounts"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"groups"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"count"}}]}},{"kind":"Field","name":{"kind":"Name","value":"other"}}]}}]} as unknown as DocumentNode<AgentCountsQuery, AgentCountsQueryVariables>;
export const FeatureEventsPageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FeatureEventsPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"featureName"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"events"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"features"},"value":{"kind":"ListValue","values":[{"kind":"Variable","name":{"kind":"Name","value":"featureName"}}]}}]}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WireEvent"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WireEvent"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Event"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","alias":{"kind":"Name","value":"type"},"name":{"kind":"Name","value":"typeName"}},{"kind":"Field","name":{"kind":"Name","value":"createdBy"}},{"kind":"Field","name":{"kind":"Name","value":"createdByUserId"}},{"kind":"Field","name":{"kind":"Name","value":"environment"}},{"kind":"Field","name":{"kind":"Name","value":"project"}},{"kind":"Field","name":{"kind":"Name","value":"featureName"}},{"kind":"Field","name":{"kind":"Name","value":"data"}},{"kind":"Field","name":{"kind":"Name","value":"preData"}},{"kind":"Field","alias":{"kind":"Name","value":"tags"},"name":{"kind":"Name","value":"storedTags"}}]}}]} as unknown as DocumentNode<FeatureEventsPageQuery, FeatureEventsPageQueryVariables>;
export const SearchEventsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SearchEvents"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"EventFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"offset"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"limit"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"searchEvents"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"offset"},"value":{"kind":"Variable","name":{"kind":"Name","value":"offset"}}},{"kind":"Argument","name":{"kind":"Name","value":"limit"},"value":{"kind":"Variable","name":{"kind":"Name","value":"limit"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"events"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WireEvent"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WireEvent"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Event"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","alias":{"kind":"Name","value":"type"},"name":{"kind":"Name","value":"typeName"}},{"kind":"Field","name":{"kind":"Name","value":"createdBy"}},{"kind":"Field","name":{"kind":"Name","value":"createdByUserId"}},{"kind":"Field","name":{"kind":"Name","value":"environment"}},{"kind":"Field","name":{"kind":"Name","value":"project"}},{"kind":"Field","name":{"kind":"Name","value":"featureName"}},{"kind":"Field","name":{"kind":"Name","value":"data"}},{"kind":"Field","name":{"kind":"Name","value":"preData"}},{"kind":"Field","alias":{"kind":"Name","value":"tags"},"name":{"kind":"Name","value":"storedTags"}}]}}]} as unknown as DocumentNode<SearchEventsQuery, SearchEventsQueryVariables>;
export const SearchEventsVersionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SearchEventsVersion"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"EventFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"offset"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"limit"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"searchEvents"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"offset"},"value":{"kind":"Variable","name":{"kind":"Name","value":"offset"}}},{"kind":"Argument","name":{"kind":"Name","value":"limit"},"value":{"kind":"Variable","name":{"kind":"Name","value":"limit"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]} as unknown as DocumentNode<SearchEventsVersionQuery, SearchEventsVersionQueryVariables>;
export const EventCountsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"EventCounts"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"EventFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"by"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"EventDimension"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"interval"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"CountInterval"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"timeZone"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"top"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"eventCounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"by"},"value":{"kind":"Variable","name":{"kind":"Name","value":"by"}}},{"kind":"Argument","name":{"kind":"Name","value":"interval"},"value":{"kind":"Variable","name":{"kind":"Name","value":"interval"}}},{"kind":"Argument","name":{"kind":"Name","value":"timeZone"},"value":{"kind":"Variable","name":{"kind":"Name","value":"timeZone"}}},{"kind":"Argument","name":{"kind":"Name","value":"top"},"value":{"kind":"Variable","name":{"kind":"Name","value":"top"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"buckets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"start"}},{"kind":"Field","name":{"kind":"Name","value":"count"}}]}},{"kind":"Field","name":{"kind":"Name","value":"groups"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"counts"}}]}}]}}]}}]} as unknown as DocumentNode<EventCountsQuery, EventCountsQueryVariables>;
export const EventCountsVersionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"EventCountsVersion"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"EventFilter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"eventCounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]} as unknown as DocumentNode<EventCountsVersionQuery, EventCountsVersionQueryVariables>;
export const SignupTokenDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SignupToken"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"secret"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"signupToken"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"secret"},"value":{"kind":"Variable","name":{"kind":"Name","value":"secret"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WireSignupToken"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WireSignupToken"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PublicSignupToken"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"secret"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdBy"}},{"kind":"Field","name":{"kind":"Name","value":"users"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"isAPI"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"username"}},{"kind":"Field","name":{"kind":"Name","value":"imageUrl"}},{"kind":"Field","name":{"kind":"Name","value":"inviteLink"}},{"kind":"Field","name":{"kind":"Name","value":"loginAttempts"}},{"kind":"Field","name":{"kind":"Name","value":"emailSent"}},{"kind":"Field","name":{"kind":"Name","value":"rootRole"}},{"kind":"Field","name":{"kind":"Name","value":"seenAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"accountType"}},{"kind":"Field","name":{"kind":"Name","value":"permissions"}},{"kind":"Field","name":{"kind":"Name","value":"scimId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"role"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"project"}}]}}]}}]} as unknown as DocumentNode<SignupTokenQuery, SignupTokenQueryVariables>;
export const CreatePublicSignupTokenDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreatePublicSignupToken"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"PublicSignupTokenCreateInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createPublicSignupToken"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WireSignupToken"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WireSignupToken"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PublicSignupToken"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"secret"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdBy"}},{"kind":"Field","name":{"kind":"Name","value":"users"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"isAPI"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"username"}},{"kind":"Field","name":{"kind":"Name","value":"imageUrl"}},{"kind":"Field","name":{"kind":"Name","value":"inviteLink"}},{"kind":"Field","name":{"kind":"Name","value":"loginAttempts"}},{"kind":"Field","name":{"kind":"Name","value":"emailSent"}},{"kind":"Field","name":{"kind":"Name","value":"rootRole"}},{"kind":"Field","name":{"kind":"Name","value":"seenAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"accountType"}},{"kind":"Field","name":{"kind":"Name","value":"permissions"}},{"kind":"Field","name":{"kind":"Name","value":"scimId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"role"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"project"}}]}}]}}]} as unknown as DocumentNode<CreatePublicSignupTokenMutation, CreatePublicSignupTokenMutationVariables>;
export const EventExportStartDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"EventExportStart"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"EventFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"upTo"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"eventExport"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"upTo"},"value":{"kind":"Variable","name":{"kind":"Name","value":"upTo"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"0"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"upTo"}},{"kind":"Field","name":{"kind":"Name","value":"feedCursor"}},{"kind":"Field","name":{"kind":"Name","value":"count"}}]}}]}}]} as unknown as DocumentNode<EventExportStartQuery, EventExportStartQueryVariables>;
export const EventExportPageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"EventExportPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"EventFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"upTo"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"eventExport"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"upTo"},"value":{"kind":"Variable","name":{"kind":"Name","value":"upTo"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"events"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WireEvent"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WireEvent"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Event"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","alias":{"kind":"Name","value":"type"},"name":{"kind":"Name","value":"typeName"}},{"kind":"Field","name":{"kind":"Name","value":"createdBy"}},{"kind":"Field","name":{"kind":"Name","value":"createdByUserId"}},{"kind":"Field","name":{"kind":"Name","value":"environment"}},{"kind":"Field","name":{"kind":"Name","value":"project"}},{"kind":"Field","name":{"kind":"Name","value":"featureName"}},{"kind":"Field","name":{"kind":"Name","value":"data"}},{"kind":"Field","name":{"kind":"Name","value":"preData"}},{"kind":"Field","alias":{"kind":"Name","value":"tags"},"name":{"kind":"Name","value":"storedTags"}}]}}]} as unknown as DocumentNode<EventExportPageQuery, EventExportPageQueryVariables>;
export const EventFeedPageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"EventFeedPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"EventFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"eventFeed"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"events"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WireEvent"}}]}},{"kind":"Field","name":{"kind":"Name","value":"cursors"}},{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"upToDate"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WireEvent"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Event"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","alias":{"kind":"Name","value":"type"},"name":{"kind":"Name","value":"typeName"}},{"kind":"Field","name":{"kind":"Name","value":"createdBy"}},{"kind":"Field","name":{"kind":"Name","value":"createdByUserId"}},{"kind":"Field","name":{"kind":"Name","value":"environment"}},{"kind":"Field","name":{"kind":"Name","value":"project"}},{"kind":"Field","name":{"kind":"Name","value":"featureName"}},{"kind":"Field","name":{"kind":"Name","value":"data"}},{"kind":"Field","name":{"kind":"Name","value":"preData"}},{"kind":"Field","alias":{"kind":"Name","value":"tags"},"name":{"kind":"Name","value":"storedTags"}}]}}]} as unknown as DocumentNode<EventFeedPageQuery, EventFeedPageQueryVariables>;