/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
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

export type FlagHistoryQueryVariables = Exact<{
  flag: string;
}>;


export type FlagHistoryQuery = { featureEvents: { events: Array<{ id: number, type: EventType, createdAt: string, createdBy: string }> } };

export type InviteMutationVariables = Exact<{
  input: PublicSignupTokenCreateInput;
}>;


export type InviteMutation = { createPublicSignupToken: { url: string | null, expiresAt: string, enabled: boolean } };

export type NewFlagsQueryVariables = Exact<{
  filter?: EventFilter | null | undefined;
  first?: number | null | undefined;
}>;


export type NewFlagsQuery = { events: { totalCount: number, nodes: Array<{ type: EventType, createdAt: string, featureName: string | null, data: unknown }> } };


export const FlagHistoryDocument = {"__meta__":{"hash":"sha256:5c30b8eb611e4ff90ebdbdd4359511629d9a33468d8e37addb6dff7da3d2c8bf"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FlagHistory"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"flag"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"featureEvents"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"featureName"},"value":{"kind":"Variable","name":{"kind":"Name","value":"flag"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"events"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdBy"}}]}}]}}]}}]} as unknown as DocumentNode<FlagHistoryQuery, FlagHistoryQueryVariables>;
export const InviteDocument = {"__meta__":{"hash":"sha256:973f42c4978dd4fc1706f4f28c54c56b652ed3dedc058f00aaef995fb7a957eb"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Invite"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"PublicSignupTokenCreateInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createPublicSignupToken"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}}]}}]}}]} as unknown as DocumentNode<InviteMutation, InviteMutationVariables>;
export const NewFlagsDocument = {"__meta__":{"hash":"sha256:65d3af489840af4707a1418bfa95d6117940bc368e6f79762177851a1317b3d1"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"NewFlags"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"EventFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"events"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"featureName"}},{"kind":"Field","name":{"kind":"Name","value":"data"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]} as unknown as DocumentNode<NewFlagsQuery, NewFlagsQueryVariables>;