/* eslint-disable */
import * as types from './graphql.js';
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';

/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "fragment WireEvent on Event {\n  id\n  createdAt\n  type: typeName\n  createdBy\n  createdByUserId\n  environment\n  project\n  featureName\n  data\n  preData\n  tags: storedTags\n}\n\nfragment WireSignupToken on PublicSignupToken {\n  secret\n  url\n  name\n  enabled\n  expiresAt\n  createdAt\n  createdBy\n  users {\n    id\n    isAPI\n    name\n    email\n    username\n    imageUrl\n    inviteLink\n    loginAttempts\n    emailSent\n    rootRole\n    seenAt\n    createdAt\n    accountType\n    permissions\n    scimId\n  }\n  role {\n    id\n    type\n    name\n    description\n    project\n  }\n}\n\nquery FeatureEventsPage($featureName: String!, $first: Int!, $after: String) {\n  events(filter: {features: [$featureName]}, first: $first, after: $after) {\n    nodes {\n      ...WireEvent\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n}\n\nquery SearchEvents($filter: EventFilter, $offset: Int!, $limit: Int!) {\n  searchEvents(filter: $filter, offset: $offset, limit: $limit) {\n    version\n    total\n    events {\n      ...WireEvent\n    }\n  }\n}\n\nquery SearchEventsVersion($filter: EventFilter, $offset: Int!, $limit: Int!) {\n  searchEvents(filter: $filter, offset: $offset, limit: $limit) {\n    version\n  }\n}\n\nquery SignupToken($secret: String!) {\n  signupToken(secret: $secret) {\n    ...WireSignupToken\n  }\n}\n\nmutation CreatePublicSignupToken($input: PublicSignupTokenCreateInput!, $idempotencyKey: String) {\n  createPublicSignupToken(input: $input, idempotencyKey: $idempotencyKey) {\n    ...WireSignupToken\n  }\n}": typeof types.WireEventFragmentDoc,
};
const documents: Documents = {
    "fragment WireEvent on Event {\n  id\n  createdAt\n  type: typeName\n  createdBy\n  createdByUserId\n  environment\n  project\n  featureName\n  data\n  preData\n  tags: storedTags\n}\n\nfragment WireSignupToken on PublicSignupToken {\n  secret\n  url\n  name\n  enabled\n  expiresAt\n  createdAt\n  createdBy\n  users {\n    id\n    isAPI\n    name\n    email\n    username\n    imageUrl\n    inviteLink\n    loginAttempts\n    emailSent\n    rootRole\n    seenAt\n    createdAt\n    accountType\n    permissions\n    scimId\n  }\n  role {\n    id\n    type\n    name\n    description\n    project\n  }\n}\n\nquery FeatureEventsPage($featureName: String!, $first: Int!, $after: String) {\n  events(filter: {features: [$featureName]}, first: $first, after: $after) {\n    nodes {\n      ...WireEvent\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n}\n\nquery SearchEvents($filter: EventFilter, $offset: Int!, $limit: Int!) {\n  searchEvents(filter: $filter, offset: $offset, limit: $limit) {\n    version\n    total\n    events {\n      ...WireEvent\n    }\n  }\n}\n\nquery SearchEventsVersion($filter: EventFilter, $offset: Int!, $limit: Int!) {\n  searchEvents(filter: $filter, offset: $offset, limit: $limit) {\n    version\n  }\n}\n\nquery SignupToken($secret: String!) {\n  signupToken(secret: $secret) {\n    ...WireSignupToken\n  }\n}\n\nmutation CreatePublicSignupToken($input: PublicSignupTokenCreateInput!, $idempotencyKey: String) {\n  createPublicSignupToken(input: $input, idempotencyKey: $idempotencyKey) {\n    ...WireSignupToken\n  }\n}": types.WireEventFragmentDoc,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 *
 *
 * @example
 * ```ts
 * const query = graphql(`query GetUser($id: ID!) { user(id: $id) { name } }`);
 * ```
 *
 * The query argument is unknown!
 * Please regenerate the types.
 */
export function graphql(source: string): unknown;

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "fragment WireEvent on Event {\n  id\n  createdAt\n  type: typeName\n  createdBy\n  createdByUserId\n  environment\n  project\n  featureName\n  data\n  preData\n  tags: storedTags\n}\n\nfragment WireSignupToken on PublicSignupToken {\n  secret\n  url\n  name\n  enabled\n  expiresAt\n  createdAt\n  createdBy\n  users {\n    id\n    isAPI\n    name\n    email\n    username\n    imageUrl\n    inviteLink\n    loginAttempts\n    emailSent\n    rootRole\n    seenAt\n    createdAt\n    accountType\n    permissions\n    scimId\n  }\n  role {\n    id\n    type\n    name\n    description\n    project\n  }\n}\n\nquery FeatureEventsPage($featureName: String!, $first: Int!, $after: String) {\n  events(filter: {features: [$featureName]}, first: $first, after: $after) {\n    nodes {\n      ...WireEvent\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n}\n\nquery SearchEvents($filter: EventFilter, $offset: Int!, $limit: Int!) {\n  searchEvents(filter: $filter, offset: $offset, limit: $limit) {\n    version\n    total\n    events {\n      ...WireEvent\n    }\n  }\n}\n\nquery SearchEventsVersion($filter: EventFilter, $offset: Int!, $limit: Int!) {\n  searchEvents(filter: $filter, offset: $offset, limit: $limit) {\n    version\n  }\n}\n\nquery SignupToken($secret: String!) {\n  signupToken(secret: $secret) {\n    ...WireSignupToken\n  }\n}\n\nmutation CreatePublicSignupToken($input: PublicSignupTokenCreateInput!, $idempotencyKey: String) {\n  createPublicSignupToken(input: $input, idempotencyKey: $idempotencyKey) {\n    ...WireSignupToken\n  }\n}"): (typeof documents)["fragment WireEvent on Event {\n  id\n  createdAt\n  type: typeName\n  createdBy\n  createdByUserId\n  environment\n  project\n  featureName\n  data\n  preData\n  tags: storedTags\n}\n\nfragment WireSignupToken on PublicSignupToken {\n  secret\n  url\n  name\n  enabled\n  expiresAt\n  createdAt\n  createdBy\n  users {\n    id\n    isAPI\n    name\n    email\n    username\n    imageUrl\n    inviteLink\n    loginAttempts\n    emailSent\n    rootRole\n    seenAt\n    createdAt\n    accountType\n    permissions\n    scimId\n  }\n  role {\n    id\n    type\n    name\n    description\n    project\n  }\n}\n\nquery FeatureEventsPage($featureName: String!, $first: Int!, $after: String) {\n  events(filter: {features: [$featureName]}, first: $first, after: $after) {\n    nodes {\n      ...WireEvent\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n}\n\nquery SearchEvents($filter: EventFilter, $offset: Int!, $limit: Int!) {\n  searchEvents(filter: $filter, offset: $offset, limit: $limit) {\n    version\n    total\n    events {\n      ...WireEvent\n    }\n  }\n}\n\nquery SearchEventsVersion($filter: EventFilter, $offset: Int!, $limit: Int!) {\n  searchEvents(filter: $filter, offset: $offset, limit: $limit) {\n    version\n  }\n}\n\nquery SignupToken($secret: String!) {\n  signupToken(secret: $secret) {\n    ...WireSignupToken\n  }\n}\n\nmutation CreatePublicSignupToken($input: PublicSignupTokenCreateInput!, $idempotencyKey: String) {\n  createPublicSignupToken(input: $input, idempotencyKey: $idempotencyKey) {\n    ...WireSignupToken\n  }\n}"];

export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}

export type DocumentType<TDocumentNode extends DocumentNode<any, any>> = TDocumentNode extends DocumentNode<  infer TType,  any>  ? TType  : never;