import { type TSchema, Type } from '@sinclair/typebox';
import { ERRORS, type ErrorName } from '../errors.js';
import { EVENT_TYPES } from '../events/event-types.js';

const nullable = (schema: TSchema) => Type.Union([schema, Type.Null()]);
const dateTime = (description: string) => Type.String({ format: 'date-time', description });
const tagText = (description: string) => Type.String({ minLength: 2, maxLength: 50, description });

const Tag = Type.Object({ value: tagText('The value of the tag.'), type: tagText('The tag type.') });

/** Spec 2.1. */
export const Event = Type.Object(
  {
    id: Type.Integer({ minimum: 1, description: 'An increasing natural number.' }),
    createdAt: dateTime('The time the event happened.'),
    type: Type.String({
      examples: [...EVENT_TYPES],
      description:
        'What the event records. One of the examples, or the exact string that a newer server wrote: a client should be ready for others.',
    }),
    createdBy: Type.String({ description: 'Which user created the event.' }),
    createdByUserId: Type.Optional(nullable(Type.Integer({ description: 'The id of the user that created the event.' }))),
    environment: Type.Optional(nullable(Type.String({ description: 'The environment the event relates to, if applicable.' }))),
    project: Type.Optional(nullable(Type.String({ description: 'The project the event relates to, if applicable.' }))),
    featureName: Type.Optional(nullable(Type.String({ description: 'The feature flag the event relates to, if applicable.' }))),
    data: Type.Optional(
      Type.Unknown({
        description: 'Extra data about the event, such as flag state or segment configuration. Usually an object or null.',
      }),
    ),
    preData: Type.Optional(
      Type.Unknown({ description: "Data describing the previous state of the event's subject. Usually an object or null." }),
    ),
    tags: Type.Optional(Type.Array(Tag, { description: 'Tags related to the event; empty if there are none.' })),
  },
  { title: 'Event' },
);

/** Spec 4.1. */
export const FeatureEvents = Type.Object(
  {
    version: Type.Optional(Type.Integer({ enum: [1], description: 'API versioning number.' })),
    toggleName: Type.Optional(Type.String({ description: 'The name of the feature flag the events relate to.' })),
    events: Type.Array(Event, { description: 'All events of the flag, newest first.' }),
    totalEvents: Type.Optional(Type.Integer({ minimum: 0, description: 'The count of events of this flag.' })),
  },
  { title: 'FeatureEvents' },
);

/** Spec 4.2. */
export const EventSearchResult = Type.Object(
  {
    events: Type.Array(Event, { description: 'The events of the page, newest first.' }),
    total: Type.Integer({ minimum: 0, description: 'The total count of events that match, whatever the page.' }),
  },
  { title: 'EventSearchResult' },
);

/** Spec 2.5. */
const User = Type.Object(
  {
    id: Type.Integer({ description: 'The user id.' }),
    isAPI: Type.Optional(
      Type.Boolean({ deprecated: true, description: 'Used internally to decide which operations the user may perform.' }),
    ),
    name: Type.Optional(nullable(Type.String({ description: 'The name of the user.' }))),
    email: Type.Optional(Type.String({ description: 'The email of the user.' })),
    username: Type.Optional(nullable(Type.String({ description: 'The unique username of the user.' }))),
    imageUrl: Type.Optional(Type.String({ description: 'The URL of the profile image.' })),
    inviteLink: Type.Optional(Type.String({ description: 'A link to share, when the user is actively inviting others.' })),
    loginAttempts: Type.Optional(Type.Integer({ description: 'The count of unsuccessful login attempts.' })),
    emailSent: Type.Optional(Type.Boolean({ description: 'Whether the welcome email was sent to the user.' })),
    rootRole: Type.Optional(Type.Integer({ description: 'The id of the root role assigned to the user.' })),
    seenAt: Type.Optional(nullable(dateTime('The last time the user logged in.'))),
    createdAt: Type.Optional(dateTime('When the user was created.')),
    accountType: Type.Optional(Type.String({ description: 'Either an actual User or a Service Account.' })),
    permissions: Type.Optional(Type.Array(Type.String(), { deprecated: true, description: 'Permissions of the user.' })),
    scimId: Type.Optional(nullable(Type.String({ description: 'The SCIM id of the user; only if managed by SCIM.' }))),
  },
  { title: 'User' },
);

/** Spec 2.6. */
const Role = Type.Object(
  {
    id: Type.Integer({ description: 'The role id.' }),
    type: Type.String({ description: 'Either a global root role, which applies to all projects, or a project role.' }),
    name: Type.String({ description: 'The name of the role.' }),
    description: Type.Optional(Type.String({ description: 'A longer description of the role.' })),
    project: Type.Optional(nullable(Type.String({ description: 'The project the role belongs to.' }))),
  },
  { title: 'Role' },
);

/** Spec 2.4. */
export const PublicSignupToken = Type.Object(
  {
    secret: Type.String({ description: 'The actual value of the token, used to build the invite link.' }),
    url: nullable(
      Type.String({ description: 'The public signup link. It leads to a page where a user account can be created.' }),
    ),
    name: Type.String({ description: 'The name of the token, for display only.' }),
    enabled: Type.Boolean({ description: 'Whether the token is active. Always false for an expired token.' }),
    expiresAt: dateTime('When the token expires.'),
    createdAt: dateTime('When the token was created.'),
    createdBy: nullable(Type.String({ description: "The creator's email or name." })),
    users: Type.Optional(nullable(Type.Array(User, { description: 'The users who signed up using the token, by id.' }))),
    role: Role,
  },
  { title: 'PublicSignupToken' },
);

/** Spec 4.3. */
export const PublicSignupTokenCreate = Type.Object(
  {
    name: Type.String({ pattern: '\\S', description: 'The name of the token, with something other than blanks in it.' }),
    expiresAt: dateTime(
      'When the token shall expire, with a zone. A past one is accepted and gives a token that is not enabled.',
    ),
  },
  { title: 'PublicSignupTokenCreate', additionalProperties: false },
);

/** Spec 2.7. */
const errorBody = (names: readonly ErrorName[]) =>
  Type.Object({
    id: Type.String({ format: 'uuid', description: 'The id of the error instance, also in the log of the gateway.' }),
    name: Type.String({ enum: names, description: 'The name of the error kind.' }),
    message: Type.String({ description: 'What went wrong.' }),
    details: Type.Optional(
      Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
        description: 'Everything that is wrong with the request: where, and the rule it breaks.',
      }),
    ),
  });

/** The error answers an operation documents, from the names of the errors it can end in. */
export function errorResponses(...names: readonly ErrorName[]): Record<number, TSchema & { description: string }> {
  const all: readonly ErrorName[] = [
    'AuthenticationRequired',
    'UnauthorizedError',
    'RequestTimeoutError',
    ...names,
    'PayloadTooLargeError',
    'TooManyRequestsError',
    'InternalError',
    'ServiceUnavailableError',
  ];
  const statuses = [...new Set(all.map((name) => ERRORS[name].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const sameStatus = all.filter((name) => ERRORS[name].status === status);
      return [status, { ...errorBody(sameStatus), description: sameStatus.join(' or ') }];
    }),
  );
}

/** The request header of a creation that may be sent again. */
export const IDEMPOTENCY_KEY = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{1,255}$',
      description:
        'Stands for this request, such as a UUID: within 24 hours, the same token with the same key and body creates nothing more, and gets the first answer again; with another body it is an error.',
    }),
  ),
});

/** The request header and the answers of a read whose answer a client may keep. */
export const IF_NONE_MATCH = Type.Object({
  'if-none-match': Type.Optional(Type.String({ description: 'The `etag` of the answer that the client has.' })),
});
export const ETAG = { type: 'string', description: 'Changes with the event log and with the projects that the token may see.' };
export const NOT_MODIFIED = {
  304: { type: 'null', description: 'The answer that the client has is still right.', headers: { etag: ETAG } },
};
