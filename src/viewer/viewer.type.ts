import { Field, ObjectType, registerEnumType } from 'type-graphql';
import type { Role } from '../auth/caller.js';
import { DateTimeISO } from '../graphql/date-time-iso.js';

const ApiTokenRole = { VIEWER: 'VIEWER', ADMIN: 'ADMIN' } as const satisfies Record<Role, Role>;

registerEnumType(ApiTokenRole, {
  name: 'ApiTokenRole',
  description: 'The permissions of an API token.',
  valuesConfig: {
    VIEWER: { description: 'Reads events.' },
    ADMIN: { description: 'Reads events. A token for all projects also creates and reads public signup tokens.' },
  },
});

@ObjectType('Viewer', { description: 'The owner of the API token that a request is sent with.', simpleResolvers: true })
export class ViewerObject {
  @Field(() => String, { description: 'The name of the token, or the user of the Unleash server whose token it is.' })
  name!: string;

  @Field(() => ApiTokenRole, { description: 'The permissions of the token.' })
  role!: Role;

  @Field(() => [String], {
    nullable: true,
    description:
      'The projects whose events the token reads; null for a token that is not limited to projects. Beside an Unleash server and on its mirror, a VIEWER that is not limited reads the events of each project, but no events without a project.',
  })
  projects!: readonly string[] | null;

  @Field(() => DateTimeISO, {
    nullable: true,
    description:
      'When the token expires, in UTC; null for a token that does not expire, and for a token of an Unleash server, which does not report it.',
  })
  expiresAt!: Date | null;
}
