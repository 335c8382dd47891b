import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { GatewayError } from '../errors.js';
import { SignupTokenDocument } from '../generated/graphql/graphql.js';
import type { OwnDocuments } from '../graphql/own-documents.js';
import { SIGNUP_TOKENS_PATH } from './create-signup-token.js';
import { errorResponses } from './error-responses.js';
import { PublicSignupToken, refTo } from './wire-schemas.js';
import { toWireSignupToken } from './wire-signup-token.js';

const schema = {
  operationId: 'getPublicSignupToken',
  tags: ['Public signup tokens'],
  summary: 'Read a public signup token',
  description: 'Returns the token at the `location` that its creation returned. Needs the ADMIN permission for all projects.',
  params: Type.Object({ secret: Type.String({ description: 'The actual value of the token.' }) }),
  response: {
    200: { ...refTo(PublicSignupToken), description: 'The token.' },
    ...errorResponses('BadDataError', 'PermissionError', 'NotFoundError'),
  },
};

/** Serves a signup token at the `location` that its creation returned (spec 4.3). */
export function registerReadSignupToken(app: FastifyInstance, documents: OwnDocuments): void {
  app.get<{ Params: { secret: string } }>(`${SIGNUP_TOKENS_PATH}/:secret`, { schema }, async ({ params, context }) => {
    const { signupToken } = await documents.execute(SignupTokenDocument, { secret: params.secret }, context);
    if (!signupToken) throw new GatewayError('NotFoundError', 'There is no public signup token with this secret.');
    return toWireSignupToken(signupToken);
  });
}
