import { Problems } from '../errors.js';
import { DATE_TIME_RULE, parseDateTime } from '../formats/date-time.js';
import type { PublicSignupTokenCreateInput } from '../generated/graphql/graphql.js';
import { isName, NAME_RULE } from '../signup-tokens/signup-token-request.js';

const FIELDS: readonly string[] = ['name', 'expiresAt'];

/**
 * Parses the request body of spec 4.3.
 * @throws GatewayError BadDataError with everything that is wrong
 */
export function parseSignupTokenBody(body: unknown): PublicSignupTokenCreateInput {
  const problems = new Problems();
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    problems.add('body', 'must be a JSON object');
    throw problems.toError();
  }
  const fields: Readonly<Record<string, unknown>> = { ...body };
  for (const unknown of Object.keys(fields).filter((field) => !FIELDS.includes(field))) {
    problems.add(unknown, 'is not a field of this request');
  }
  const name = typeof fields.name === 'string' && isName(fields.name) ? fields.name : null;
  const expiresAt = typeof fields.expiresAt === 'string' ? parseDateTime(fields.expiresAt) : null;
  if (name === null) problems.add('name', NAME_RULE);
  if (expiresAt === null) problems.add('expiresAt', DATE_TIME_RULE);
  if (name === null || expiresAt === null || !problems.isEmpty) throw problems.toError();
  return { name, expiresAt: expiresAt.toISOString() };
}
