import { hash } from 'node:crypto';

/** Returns the cache key of an operation. Hashes its name, so that a long name does not become a long key. */
export function toOperationKey(queryHash: string, operationName: string | null): string {
  return operationName === null ? queryHash : hash('sha256', `${queryHash} ${operationName}`);
}
