import { Field, InputType } from 'type-graphql';
import { DateTimeISO } from '../graphql/date-time-iso.js';
import type { SignupTokenRequest } from './signup-token-request.js';

@InputType('PublicSignupTokenCreateInput', { description: 'The public signup token to create.' })
export class PublicSignupTokenCreateInput implements SignupTokenRequest {
  @Field(() => String, { description: 'The name of the token, with at least one character that is not blank.' })
  name!: string;

  @Field(() => DateTimeISO, {
    description:
      'When the token expires: an RFC 3339 date-time with a zone. A time in the past is accepted and creates a token that is not enabled.',
  })
  expiresAt!: Date;
}
