import { DATE_TIME_RULE, parseDateTime } from '../date-time.js';
import { Problems } from '../errors.js';
import type { PublicSignupTokenCreateInput } from '../generated/graphql/graphql.js';
import { isName, NAME_RULE } from '../signup-tokens/signup-token.js';

const FIELDS: readonly string[] = ['name', 'expiresAt'];

/**
 * Parses the request body of spec 4.3.
 * @throws GatewayError BadDataError with everything that is wrong
 */
export function parseSignupTokenBody(body: unknown): PublicSignupTokenCreateInput {
  const problems = new Problems();
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    problems.add('body', 'must be a JSON object');
    problems.throwIfAny();
  }
  const fields = body as Readonly<Record<string, unknown>>;
  for (const unknown of Object.keys(fields).filter((field) => !FIELDS.includes(field))) {
    problems.add(unknown, 'is not a field of this request');
  }
  const { name, expiresAt } = fields;
  if (typeof name !== 'string' || !isName(name)) problems.add('name', NAME_RULE);
  if (typeof expiresAt !== 'string' || parseDateTime(expiresAt) === null) problems.add('expiresAt', DATE_TIME_RULE);
  problems.throwIfAny();
  return { name: name as string, expiresAt: expiresAt as string };
}
