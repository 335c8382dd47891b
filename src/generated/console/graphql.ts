/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** The permissions of an API token. */
export type ApiTokenRole =
  /** Reads events. A token for all projects also creates and reads public signup tokens. */
  | 'ADMIN'
  /** Reads events. */
  | 'VIEWER';

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

export type EventRowFragment = { id: number, createdAt: string, typeName: string, createdBy: string, environment: string | null, project: string | null, featureName: string | null, data: unknown, preData: unknown };

export type InvitationFragment = { secret: string, url: string | null, name: string, enabled: boolean, expiresAt: string, createdAt: string, createdBy: string | null, role: { name: string }, users: Array<{ id: number, name: string | null, username: string | null, email: string | null }> };

export type ConsoleViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ConsoleViewerQuery = { viewer: { name: string, role: ApiTokenRole, projects: Array<string> | null, expiresAt: string | null, canInvite: boolean, inviteRefusal: string | null, acceptsIdempotencyKeys: boolean } };

export type ConsoleEventsQueryVariables = Exact<{
  filter?: EventFilter | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type ConsoleEventsQuery = { events: { edges: Array<{ cursor: string, node: { id: number, createdAt: string, typeName: string, createdBy: string, environment: string | null, project: string | null, featureName: string | null, data: unknown, preData: unknown } }>, pageInfo: { hasNextPage: boolean } } };

export type ConsoleHistogramQueryVariables = Exact<{
  filter?: EventFilter | null | undefined;
  interval: CountInterval;
  timeZone: string;
}>;


export type ConsoleHistogramQuery = { eventCounts: { total: number, interval: CountInterval | null, buckets: Array<{ start: string, end: string, count: number }> } };

export type ConsoleDaysQueryVariables = Exact<{
  filter?: EventFilter | null | undefined;
  timeZone: string;
}>;


export type ConsoleDaysQuery = { eventCounts: { buckets: Array<{ start: string, count: number }> } };

export type ConsoleTotalQueryVariables = Exact<{
  filter?: EventFilter | null | undefined;
}>;


export type ConsoleTotalQuery = { eventCounts: { total: number } };

export type ConsoleGroupsQueryVariables = Exact<{
  filter?: EventFilter | null | undefined;
  by: EventDimension;
  top: number;
}>;


export type ConsoleGroupsQuery = { eventCounts: { total: number, distinct: number, other: number, groups: Array<{ key: string | null, count: number }> } };

export type ConsoleEventQueryVariables = Exact<{
  id: number;
  ids: Array<number> | number;
}>;


export type ConsoleEventQuery = { event: { type: EventType, createdByUserId: number | null, id: number, createdAt: string, typeName: string, createdBy: string, environment: string | null, project: string | null, featureName: string | null, data: unknown, preData: unknown, tags: Array<{ type: string, value: string }>, changes: { complete: boolean, items: Array<{ kind: ChangeKind, path: Array<string>, pointer: string, before: unknown, after: unknown }> } | null } | null, events: { edges: Array<{ cursor: string }> } };

export type ConsoleNeighborsQueryVariables = Exact<{
  filter?: EventFilter | null | undefined;
  cursor: string;
}>;


export type ConsoleNeighborsQuery = { newer: { nodes: Array<{ id: number }> }, older: { nodes: Array<{ id: number }> } };

export type ConsoleBeforeQueryVariables = Exact<{
  filter?: EventFilter | null | undefined;
  cursor: string;
  last: number;
}>;


export type ConsoleBeforeQuery = { events: { pageInfo: { startCursor: string | null, hasPreviousPage: boolean } } };

export type ConsoleFlagStateQueryVariables = Exact<{
  flags: Array<string> | string;
  types: Array<EventType> | EventType;
}>;


export type ConsoleFlagStateQuery = { events: { nodes: Array<{ id: number, typeName: string, createdAt: string, createdBy: string, featureName: string | null, environment: string | null }> } };

export type ConsoleFirstAndLastQueryVariables = Exact<{
  filter?: EventFilter | null | undefined;
}>;


export type ConsoleFirstAndLastQuery = { newest: { nodes: Array<{ id: number, createdAt: string, typeName: string, createdBy: string, environment: string | null, project: string | null, featureName: string | null, data: unknown, preData: unknown }> }, oldest: { nodes: Array<{ id: number, createdAt: string, typeName: string, createdBy: string, environment: string | null, project: string | null, featureName: string | null, data: unknown, preData: unknown }> } };

export type ConsoleInviteMutationVariables = Exact<{
  input: PublicSignupTokenCreateInput;
  idempotencyKey?: string | null | undefined;
}>;


export type ConsoleInviteMutation = { createPublicSignupToken: { secret: string, url: string | null, name: string, enabled: boolean, expiresAt: string, createdAt: string, createdBy: string | null, role: { name: string }, users: Array<{ id: number, name: string | null, username: string | null, email: string | null }> } };

export type ConsoleInvitationQueryVariables = Exact<{
  secret: string;
}>;


export type ConsoleInvitationQuery = { signupToken: { secret: string, url: string | null, name: string, enabled: boolean, expiresAt: string, createdAt: string, createdBy: string | null, role: { name: string }, users: Array<{ id: number, name: string | null, username: string | null, email: string | null }> } | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const EventRowFragmentDoc = new TypedDocumentString(`
    fragment EventRow on Event {
  id
  createdAt
  typeName
  createdBy
  environment
  project
  featureName
  data
  preData
}
    `, {"fragmentName":"EventRow"}) as unknown as TypedDocumentString<EventRowFragment, unknown>;
export const InvitationFragmentDoc = new TypedDocumentString(`
    fragment Invitation on PublicSignupToken {
  secret
  url
  name
  enabled
  expiresAt
  createdAt
  createdBy
  role {
    name
  }
  users {
    id
    name
    username
    email
  }
}
    `, {"fragmentName":"Invitation"}) as unknown as TypedDocumentString<InvitationFragment, unknown>;
export const ConsoleViewerDocument = new TypedDocumentString(`
    query ConsoleViewer {
  viewer {
    name
    role
    projects
    expiresAt
    canInvite
    inviteRefusal
    acceptsIdempotencyKeys
  }
}
    `, {"hash":"sha256:c187666ecb9c8b9af0216ca99511dff98629d4b67c4e134edd9f7fd24fef4d54"}) as unknown as TypedDocumentString<ConsoleViewerQuery, ConsoleViewerQueryVariables>;
export const ConsoleEventsDocument = new TypedDocumentString(`
    query ConsoleEvents($filter: EventFilter, $first: Int!, $after: String) {
  events(filter: $filter, first: $first, after: $after) {
    edges {
      cursor
      node {
        ...EventRow
      }
    }
    pageInfo {
      hasNextPage
    }
  }
}
    fragment EventRow on Event {
  id
  createdAt
  typeName
  createdBy
  environment
  project
  featureName
  data
  preData
}`, {"hash":"sha256:572013ad2351bf40b05bca9a84168caa7fa218d88e888b3dd5adceefcfefb11d"}) as unknown as TypedDocumentString<ConsoleEventsQuery, ConsoleEventsQueryVariables>;
export const ConsoleHistogramDocument = new TypedDocumentString(`
    query ConsoleHistogram($filter: EventFilter, $interval: CountInterval!, $timeZone: String!) {
  eventCounts(filter: $filter, interval: $interval, timeZone: $timeZone) {
    total
    interval
    buckets {
      start
      end
      count
    }
  }
}
    `, {"hash":"sha256:ac13e8fd19dfac8ee7f83364ce3f4aace4db2ddbd83a6151474327052f3ef963"}) as unknown as TypedDocumentString<ConsoleHistogramQuery, ConsoleHistogramQueryVariables>;
export const ConsoleDaysDocument = new TypedDocumentString(`
    query ConsoleDays($filter: EventFilter, $timeZone: String!) {
  eventCounts(filter: $filter, interval: DAY, timeZone: $timeZone) {
    buckets {
      start
      count
    }
  }
}
    `, {"hash":"sha256:234e21a2064f3afc324b041d1fb8f0da5434a238fe204b9e804480c4a45aa7fe"}) as unknown as TypedDocumentString<ConsoleDaysQuery, ConsoleDaysQueryVariables>;
export const ConsoleTotalDocument = new TypedDocumentString(`
    query ConsoleTotal($filter: EventFilter) {
  eventCounts(filter: $filter) {
    total
  }
}
    `, {"hash":"sha256:77e547e600d73aca795645c20fd4ddf251b899f9af1c4bfa2f6c26ec8527c1db"}) as unknown as TypedDocumentString<ConsoleTotalQuery, ConsoleTotalQueryVariables>;
export const ConsoleGroupsDocument = new TypedDocumentString(`
    query ConsoleGroups($filter: EventFilter, $by: EventDimension!, $top: Int!) {
  eventCounts(filter: $filter, by: $by, top: $top) {
    total
    distinct
    other
    groups {
      key
      count
    }
  }
}
    `, {"hash":"sha256:171c7ff65973999de0e5f26dffca101ac01458056174cd5466f7d9d7a8bf94f4"}) as unknown as TypedDocumentString<ConsoleGroupsQuery, ConsoleGroupsQueryVariables>;
export const ConsoleEventDocument = new TypedDocumentString(`
    query ConsoleEvent($id: Int!, $ids: [Int!]!) {
  event(id: $id) {
    ...EventRow
    type
    createdByUserId
    tags {
      type
      value
    }
    changes {
      complete
      items {
        kind
        path
        pointer
        before
        after
      }
    }
  }
  events(filter: {ids: $ids}, first: 1) {
    edges {
      cursor
    }
  }
}
    fragment EventRow on Event {
  id
  createdAt
  typeName
  createdBy
  environment
  project
  featureName
  data
  preData
}`, {"hash":"sha256:192a089e4fb7a052448ac771c225fa8054386f75dc0cee613740c86e94a6e989"}) as unknown as TypedDocumentString<ConsoleEventQuery, ConsoleEventQueryVariables>;
export const ConsoleNeighborsDocument = new TypedDocumentString(`
    query ConsoleNeighbors($filter: EventFilter, $cursor: String!) {
  newer: events(filter: $filter, last: 1, before: $cursor) {
    nodes {
      id
    }
  }
  older: events(filter: $filter, first: 1, after: $cursor) {
    nodes {
      id
    }
  }
}
    `, {"hash":"sha256:b58de05047a88504618d17b844d67dccc8851e73c99544eb4fb1324081871b29"}) as unknown as TypedDocumentString<ConsoleNeighborsQuery, ConsoleNeighborsQueryVariables>;
export const ConsoleBeforeDocument = new TypedDocumentString(`
    query ConsoleBefore($filter: EventFilter, $cursor: String!, $last: Int!) {
  events(filter: $filter, last: $last, before: $cursor) {
    pageInfo {
      startCursor
      hasPreviousPage
    }
  }
}
    `, {"hash":"sha256:ccb9a3bf09cc28de51415b53fe91c141d95409aef6add9eca0950c7a62113bd3"}) as unknown as TypedDocumentString<ConsoleBeforeQuery, ConsoleBeforeQueryVariables>;
export const ConsoleFlagStateDocument = new TypedDocumentString(`
    query ConsoleFlagState($flags: [String!]!, $types: [EventType!]!) {
  events(filter: {features: $flags, types: $types}, first: 500) {
    nodes {
      id
      typeName
      createdAt
      createdBy
      featureName
      environment
    }
  }
}
    `, {"hash":"sha256:bd7405f2e19fc49008b1f238d274fc5f619b9b0ad5e237b03798402bb9524dca"}) as unknown as TypedDocumentString<ConsoleFlagStateQuery, ConsoleFlagStateQueryVariables>;
export const ConsoleFirstAndLastDocument = new TypedDocumentString(`
    query ConsoleFirstAndLast($filter: EventFilter) {
  newest: events(filter: $filter, first: 1) {
    nodes {
      ...EventRow
    }
  }
  oldest: events(filter: $filter, last: 1) {
    nodes {
      ...EventRow
    }
  }
}
    fragment EventRow on Event {
  id
  createdAt
  typeName
  createdBy
  environment
  project
  featureName
  data
  preData
}`, {"hash":"sha256:8062d441f9334c7398d35029c3ae668e8d9af9cce6c90363cd2d9f10e89cb088"}) as unknown as TypedDocumentString<ConsoleFirstAndLastQuery, ConsoleFirstAndLastQueryVariables>;
export const ConsoleInviteDocument = new TypedDocumentString(`
    mutation ConsoleInvite($input: PublicSignupTokenCreateInput!, $idempotencyKey: String) {
  createPublicSignupToken(input: $input, idempotencyKey: $idempotencyKey) {
    ...Invitation
  }
}
    fragment Invitation on PublicSignupToken {
  secret
  url
  name
  enabled
  expiresAt
  createdAt
  createdBy
  role {
    name
  }
  users {
    id
    name
    username
    email
  }
}`, {"hash":"sha256:f3a39ee47e91e8641c414f6bfcdef0c12a4fbdf6f92be4be7d323c45cfdd2318"}) as unknown as TypedDocumentString<ConsoleInviteMutation, ConsoleInviteMutationVariables>;
export const ConsoleInvitationDocument = new TypedDocumentString(`
    query ConsoleInvitation($secret: String!) {
  signupToken(secret: $secret) {
    ...Invitation
  }
}
    fragment Invitation on PublicSignupToken {
  secret
  url
  name
  enabled
  expiresAt
  createdAt
  createdBy
  role {
    name
  }
  users {
    id
    name
    username
    email
  }
}`, {"hash":"sha256:9bdbd10cad849253cb1e0eb272c1ccb1c543afa4d0617f455d24c8ca40ac3318"}) as unknown as TypedDocumentString<ConsoleInvitationQuery, ConsoleInvitationQueryVariables>;