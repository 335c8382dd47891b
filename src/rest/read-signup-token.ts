import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { GatewayError } from '../errors.js';
import { SignupTokenDocument } from '../generated/graphql/graphql.js';
import { SIGNUP_TOKENS_PATH } from './create-signup-token.js';
import type { Execute } from './execute.js';
import { errorResponses, PublicSignupToken } from './wire-schemas.js';
import { toWireSignupToken } from './wire-signup-token.js';

const schema = {
  operationId: 'getPublicSignupToken',
  tags: ['Public signup tokens'],
  summary: 'Read a public signup token',
  description: 'The resource that the `location` header of its creation names. Needs the ADMIN permission.',
  params: Type.Object({ secret: Type.String({ description: 'The actual value of the token.' }) }),
  response: {
    200: { ...PublicSignupToken, description: 'The token.' },
    ...errorResponses('BadDataError', 'PermissionError', 'NotFoundError'),
  },
};

/** What makes the `location` of spec 4.3 true. */
export function registerReadSignupToken(app: FastifyInstance, execute: Execute): void {
  app.get<{ Params: { secret: string } }>(
    `${SIGNUP_TOKENS_PATH}/:secret`,
    { schema },
    async ({ params, caller, log, statistics }) => {
      const { signupToken } = await execute(SignupTokenDocument, { secret: params.secret }, { caller, log, statistics });
      if (!signupToken) throw new GatewayError('NotFoundError', 'There is no public signup token with this secret.');
      return toWireSignupToken(signupToken);
    },
  );
}
