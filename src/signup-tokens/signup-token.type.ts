import { Field, Int, ObjectType } from 'type-graphql';
import { DateTimeISO } from '../graphql/date-time-iso.js';

@ObjectType('Role', { description: 'A role of users.', simpleResolvers: true })
export class RoleObject {
  @Field(() => Int, { description: 'The role id.' })
  id!: number;

  @Field(() => String, { description: 'Either a global root role, which applies to all projects, or a project role.' })
  type!: string;

  @Field(() => String, { description: 'The name of the role.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'A longer description of the role.' })
  description!: string | null;

  @Field(() => String, { nullable: true, description: 'The project the role belongs to; null for a root role.' })
  project?: string | null;
}

@ObjectType('User', { description: 'A user who signed up with a token.', simpleResolvers: true })
export class UserObject {
  @Field(() => Int, { description: 'The user id.' })
  id!: number;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Used internally to decide which operations the user may perform.',
    deprecationReason: 'Deprecated in Unleash since version 5.',
  })
  isAPI?: boolean;

  @Field(() => String, { nullable: true, description: 'The name of the user.' })
  name!: string | null;

  @Field(() => String, { nullable: true, description: 'The email of the user.' })
  email!: string | null;

  @Field(() => String, { nullable: true, description: 'The unique username of the user.' })
  username!: string | null;

  @Field(() => String, { nullable: true, description: 'The URL of the profile image.' })
  imageUrl!: string | null;

  @Field(() => String, { nullable: true, description: 'The invite link of a user who is actively inviting others.' })
  inviteLink?: string | null;

  @Field(() => Int, { nullable: true, description: 'The number of unsuccessful login attempts.' })
  loginAttempts!: number | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether the welcome email was sent to the user.' })
  emailSent?: boolean | null;

  @Field(() => Int, { nullable: true, description: 'The id of the root role assigned to the user.' })
  rootRole!: number | null;

  @Field(() => DateTimeISO, { nullable: true, description: 'The last time the user logged in.' })
  seenAt!: Date | null;

  @Field(() => DateTimeISO, { nullable: true, description: 'When the user was created.' })
  createdAt!: Date | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Permissions of the user.',
    deprecationReason: 'Deprecated in Unleash.',
  })
  permissions!: readonly string[] | null;

  @Field(() => String, { nullable: true, description: 'The SCIM id of a user managed by SCIM, otherwise null.' })
  scimId!: string | null;
}

@ObjectType('PublicSignupToken', {
  description: 'A token that invites colleagues. Users who sign up with it get the Viewer role.',
  simpleResolvers: true,
})
export class PublicSignupTokenObject {
  @Field(() => String, { description: 'The actual value of the token, used to build the invite link.' })
  secret!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The public signup link. It leads to a page where a user account can be created.',
  })
  url!: string | null;

  @Field(() => String, { description: 'The name of the token, for display only.' })
  name!: string;

  @Field(() => DateTimeISO, { description: 'When the token expires, in UTC.' })
  expiresAt!: Date;

  @Field(() => DateTimeISO, { description: 'When the token was created, in UTC.' })
  createdAt!: Date;

  @Field(() => String, { nullable: true, description: "The creator's email or name." })
  createdBy!: string | null;

  @Field(() => [UserObject], { description: 'The users who signed up with the token, ordered by id.' })
  users!: readonly UserObject[];

  @Field(() => RoleObject, { description: 'The role of users who sign up with the token.' })
  role!: RoleObject;
}
