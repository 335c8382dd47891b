import { GatewayError } from '../errors.js';
import type { Prisma } from '../generated/prisma/client.js';
import type { IdempotentRequest, Role, SignupToken } from './signup-token.js';

/** For how long a request may be sent again. */
const KEPT = '24 hours';

/** An answer as it is kept; nobody has signed up with a token that was just created. */
interface StoredResponse extends Omit<SignupToken, 'expiresAt' | 'createdAt' | 'users' | 'respondedAt'> {
  readonly expiresAt: string;
  readonly createdAt: string;
  readonly role: Role;
}

/**
 * Takes the key of a request in the transaction that answers it; whoever comes with the same key meanwhile waits for its end.
 * @returns the first answer, where there was one
 * @throws GatewayError IdempotencyConflictError if the key stands for another request
 */
export async function takeKey(tx: Prisma.TransactionClient, request: IdempotentRequest): Promise<SignupToken | null> {
  const { caller, key, requestHash } = request;
  await tx.$executeRaw`
    DELETE FROM gateway_idempotency_key WHERE (caller, key) IN (
      SELECT caller, key FROM gateway_idempotency_key WHERE created_at < now() - ${KEPT}::interval FOR UPDATE SKIP LOCKED
    )`;
  const taken = await tx.$executeRaw`
    INSERT INTO gateway_idempotency_key (caller, key, request_hash) VALUES (${caller}, ${key}, ${requestHash})
    ON CONFLICT DO NOTHING`;
  if (taken > 0) return null;
  const first = await tx.idempotencyKey.findUniqueOrThrow({ where: { caller_key: { caller, key } } });
  if (first.requestHash !== requestHash) {
    throw new GatewayError(
      'IdempotencyConflictError',
      'This idempotency key was sent before with another request. Take a new one.',
    );
  }
  return toSignupToken(first.answer as unknown as StoredResponse);
}

/** Keeps the answer to a request whose key was taken in this transaction. */
export async function storeResponse(
  tx: Prisma.TransactionClient,
  { caller, key }: IdempotentRequest,
  { users: _, ...token }: SignupToken,
): Promise<void> {
  const answer = {
    ...token,
    role: { ...token.role },
    expiresAt: token.expiresAt.toISOString(),
    createdAt: token.createdAt.toISOString(),
  };
  await tx.idempotencyKey.update({ where: { caller_key: { caller, key } }, data: { answer } });
}

function toSignupToken({ expiresAt, createdAt, ...token }: StoredResponse): SignupToken {
  const respondedAt = new Date(createdAt);
  return { ...token, expiresAt: new Date(expiresAt), createdAt: respondedAt, users: [], respondedAt };
}
