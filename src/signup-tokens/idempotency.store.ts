import { GatewayError } from '../errors.js';
import type { Prisma } from '../generated/prisma/client.js';
import type { Role, SignupToken } from './signup-token.js';
import type { IdempotentRequest } from './signup-token-request.js';

/** How long a key is stored. Its request can be retried for this time. */
const STORED_FOR = '24 hours';

/** A response as stored. It has no users, since nobody has signed up with a new token yet. */
interface StoredResponse extends Omit<SignupToken, 'expiresAt' | 'createdAt' | 'users' | 'respondedAt'> {
  readonly expiresAt: string;
  readonly createdAt: string;
  readonly role: Role;
}

/**
 * Inserts the key in the transaction of its request. A concurrent request with the same key waits for that transaction to end.
 * @returns the first response to a request with this key; null for a new key
 * @throws GatewayError IdempotencyConflictError if the key was used for another request
 */
export async function takeKey(tx: Prisma.TransactionClient, request: IdempotentRequest): Promise<SignupToken | null> {
  const { caller, key, requestHash } = request;
  await tx.$executeRaw`
    DELETE FROM gateway_idempotency_key WHERE (caller, key) IN (
      SELECT caller, key FROM gateway_idempotency_key WHERE created_at < now() - ${STORED_FOR}::interval FOR UPDATE SKIP LOCKED
    )`;
  const taken = await tx.$executeRaw`
    INSERT INTO gateway_idempotency_key (caller, key, request_hash) VALUES (${caller}, ${key}, ${requestHash})
    ON CONFLICT DO NOTHING`;
  if (taken > 0) return null;
  const first = await tx.idempotencyKey.findUniqueOrThrow({ where: { caller_key: { caller, key } } });
  if (first.requestHash !== requestHash) {
    throw new GatewayError(
      'IdempotencyConflictError',
      'This idempotency key was already used for a different request. Use a new key.',
    );
  }
  return toSignupToken(first.answer as unknown as StoredResponse);
}

/** Stores the response to a request. Its key was inserted in the same transaction. */
export async function storeResponse(
  tx: Prisma.TransactionClient,
  { caller, key }: IdempotentRequest,
  { users: _, ...token }: SignupToken,
): Promise<void> {
  const response = {
    ...token,
    role: { ...token.role },
    expiresAt: token.expiresAt.toISOString(),
    createdAt: token.createdAt.toISOString(),
  };
  await tx.idempotencyKey.update({ where: { caller_key: { caller, key } }, data: { answer: response } });
}

function toSignupToken({ expiresAt, createdAt, ...token }: StoredResponse): SignupToken {
  const respondedAt = new Date(createdAt);
  return { ...token, expiresAt: new Date(expiresAt), createdAt: respondedAt, users: [], respondedAt };
}
