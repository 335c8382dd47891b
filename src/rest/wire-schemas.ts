import { type TSchema, Type } from '@sinclair/typebox';
import { EVENT_TYPES } from '../events/event-types.js';

/** Refers to a schema by its name, so that the OpenAPI document has each schema once and generated types have its name. */
export const refTo = ({ $id }: TSchema) => Type.Unsafe({ $ref: `${$id}#` });

const nullable = ({ description = '', ...schema }: TSchema) => Type.Union([schema as TSchema, Type.Null()], { description });
const tagText = (description: string) => Type.String({ minLength: 2, maxLength: 50, description });
const dateTime = (description: string) => Type.String({ format: 'date-time', description });

/** The tag of spec 2.3. */
const Tag = Type.Object(
  { value: tagText('The value of the tag.'), type: tagText('The tag type.') },
  { $id: 'Tag', description: 'A tag of an event.' },
);

/** The event of spec 2.1. */
export const Event = Type.Object(
  {
    id: Type.Integer({ minimum: 1, description: 'The id of the event: an increasing natural number.' }),
    createdAt: dateTime('When the event happened.'),
    type: Type.String({
      examples: [...EVENT_TYPES],
      description:
        'The type of the event: one of the examples, or a type of a newer Unleash version. Clients should accept other types.',
    }),
    createdBy: Type.String({ description: 'The user who created the event.' }),
    createdByUserId: Type.Optional(nullable(Type.Integer({ description: 'The id of the user who created the event.' }))),
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
    tags: Type.Optional(Type.Array(refTo(Tag), { description: 'The tags of the event; an empty list if there are none.' })),
  },
  {
    $id: 'Event',
    description:
      'A change or occurrence in the system, such as the creation of a flag, a change to a project, or a change request.',
  },
);

/** The response of spec 4.1. */
export const FeatureEvents = Type.Object(
  {
    version: Type.Optional(Type.Integer({ enum: [1], description: 'The version of this format: always 1.' })),
    toggleName: Type.Optional(Type.String({ description: 'The name of the feature flag the events relate to.' })),
    events: Type.Array(refTo(Event), { description: 'All events of the flag, newest first.' }),
    totalEvents: Type.Optional(Type.Integer({ minimum: 0, description: 'The number of events of this flag.' })),
  },
  { $id: 'FeatureEvents', description: 'All events of one feature flag.' },
);

/** The response of spec 4.2. */
export const EventSearchResult = Type.Object(
  {
    events: Type.Array(refTo(Event), { description: 'The events of the page, newest first.' }),
    total: Type.Integer({ minimum: 0, description: 'The number of all events that match, on this page and on others.' }),
  },
  { $id: 'EventSearchResult', description: 'A page of a search.' },
);

export const EventCounts = Type.Object(
  {
    total: Type.Integer({ minimum: 0, description: 'The number of all events that match.' }),
    rows: Type.Array(
      Type.Object({
        time: nullable(dateTime('The start of the bucket; null without an interval.')),
        key: nullable(Type.String({ description: 'The value of the property; null for events without one, and without `by`.' })),
        count: Type.Integer({ minimum: 0, description: 'The number of events.' }),
      }),
      {
        description:
          'One row for each bucket and each listed group, by time and then from the largest group to the smallest. Without an interval and `by`, one row.',
      },
    ),
  },
  { $id: 'EventCounts', description: 'Numbers of events, all at one moment.' },
);

/** The user of spec 2.5. */
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
    inviteLink: Type.Optional(Type.String({ description: 'The invite link of a user who is actively inviting others.' })),
    loginAttempts: Type.Optional(Type.Integer({ description: 'The number of unsuccessful login attempts.' })),
    emailSent: Type.Optional(Type.Boolean({ description: 'Whether the welcome email was sent to the user.' })),
    rootRole: Type.Optional(Type.Integer({ description: 'The id of the root role assigned to the user.' })),
    seenAt: Type.Optional(nullable(dateTime('The last time the user logged in.'))),
    createdAt: Type.Optional(dateTime('When the user was created.')),
    accountType: Type.Optional(Type.String({ description: 'The type of the account: `User` or `Service Account`.' })),
    permissions: Type.Optional(Type.Array(Type.String(), { deprecated: true, description: 'Permissions of the user.' })),
    scimId: Type.Optional(nullable(Type.String({ description: 'The SCIM id of a user managed by SCIM, otherwise null.' }))),
  },
  { $id: 'User', description: 'A user who signed up with a public signup token.' },
);

/** The role of spec 2.6. */
const Role = Type.Object(
  {
    id: Type.Integer({ description: 'The role id.' }),
    type: Type.String({ description: 'Either a global root role, which applies to all projects, or a project role.' }),
    name: Type.String({ description: 'The name of the role.' }),
    description: Type.Optional(Type.String({ description: 'A longer description of the role.' })),
    project: Type.Optional(nullable(Type.String({ description: 'The project the role belongs to.' }))),
  },
  { $id: 'Role', description: 'A role that users have.' },
);

/** The public signup token of spec 2.4. */
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
    users: Type.Optional(
      nullable(Type.Array(refTo(User), { description: 'The users who signed up with the token, ordered by id.' })),
    ),
    role: refTo(Role),
  },
  { $id: 'PublicSignupToken', description: 'A public signup token. People who join through its link get its role.' },
);

/** The request body of spec 4.3. */
export const PublicSignupTokenCreate = Type.Object(
  {
    name: Type.String({ pattern: '\\S', description: 'The name of the token, with at least one character that is not blank.' }),
    expiresAt: dateTime(
      'When the token expires: an RFC 3339 date-time with a zone. A time in the past is accepted and creates a token that is not enabled.',
    ),
  },
  { $id: 'PublicSignupTokenCreate', description: 'The public signup token to create.', additionalProperties: false },
);

/** The schemas of this file that have a name in the OpenAPI document. */
export const WIRE_SCHEMAS = [
  Event,
  Tag,
  FeatureEvents,
  EventSearchResult,
  EventCounts,
  PublicSignupToken,
  PublicSignupTokenCreate,
  User,
  Role,
];

/** The request header that makes a creation safe to retry. */
export const IDEMPOTENCY_KEY = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{1,255}$',
      description:
        'Identifies this request, so that it can be retried: 1 to 255 visible ASCII characters, such as a UUID. Within 24 hours, a request with the same API token, key and body creates nothing more and gets the first response again. The same key with another body is an error (409).',
    }),
  ),
});

/** The request header of operations whose responses a client may cache. The constants below document these responses. */
export const IF_NONE_MATCH = Type.Object({
  'if-none-match': Type.Optional(Type.String({ description: 'The `etag` of the response that the client has cached.' })),
});
export const ETAG = { type: 'string', description: 'Changes with the event log and with the projects that the token can see.' };
export const COPY_AGE = {
  type: 'string',
  description:
    'Only if the log is a copy and not up to date: the time until which the copy has every event, as an RFC 3339 date-time, or `never` while the first copy is not complete.',
};
export const NOT_MODIFIED = {
  304: { type: 'null', description: 'The response that the client has cached is still current.', headers: { etag: ETAG } },
};
