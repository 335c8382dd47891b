import type { FastifyInstance } from 'fastify';
import { CreatePublicSignupTokenDocument } from '../generated/graphql/graphql.js';
import type { OwnDocuments } from '../graphql/own-documents.js';
import { errorResponses } from './error-responses.js';
import { parseSignupTokenBody } from './signup-token-body.js';
import { IDEMPOTENCY_KEY, PublicSignupToken, PublicSignupTokenCreate, refTo } from './wire-schemas.js';
import { toWireSignupToken } from './wire-signup-token.js';

export const SIGNUP_TOKENS_PATH = '/api/admin/invite-link/tokens';

const schema = {
  operationId: 'createPublicSignupToken',
  tags: ['Public signup tokens'],
  summary: 'Create a public signup token',
  description:
    'Creates an invite link to share with colleagues. Users who sign up with it get the Viewer role. Needs the ADMIN permission for all projects.',
  headers: IDEMPOTENCY_KEY,
  body: refTo(PublicSignupTokenCreate),
  response: {
    201: {
      ...refTo(PublicSignupToken),
      description: 'The resource was created.',
      headers: { location: { type: 'string', description: 'The location of the new resource.' } },
    },
    ...errorResponses('BadDataError', 'PermissionError', 'NotSupportedHereError', 'IdempotencyConflictError', 'ContentTypeError'),
  },
};

/** Serves the creation of signup tokens (spec 4.3). */
export function registerCreateSignupToken(app: FastifyInstance, documents: OwnDocuments): void {
  app.post<{ Headers: { 'idempotency-key'?: string } }>(
    SIGNUP_TOKENS_PATH,
    { schema },
    async ({ body, headers, context }, reply) => {
      const variables = { input: parseSignupTokenBody(body), idempotencyKey: headers['idempotency-key'] ?? null };
      const { createPublicSignupToken: token } = await documents.execute(CreatePublicSignupTokenDocument, variables, context);
      return reply.code(201).header('location', `${SIGNUP_TOKENS_PATH}/${token.secret}`).send(toWireSignupToken(token));
    },
  );
}
