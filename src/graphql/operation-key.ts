import { hash } from 'node:crypto';

/** What an operation of a document is remembered by. Of a fixed length: a name may be as long as a document. */
export function toOperationKey(queryHash: string, operationName: string | null): string {
  return operationName === null ? queryHash : hash('sha256', `${queryHash} ${operationName}`);
}
