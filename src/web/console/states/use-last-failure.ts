import { useState } from 'react';
import { type GatewayFailure, toFailure } from '../api/gateway-failure.js';

interface Attempt {
  readonly error: Error | null;
  /** Whether the requested data has arrived. */
  readonly isLoaded: boolean;
  /** Identifies what was requested. */
  readonly of: unknown;
}

/** Returns the failure of the last attempt, also while the next attempt runs, so that the retry button keeps the focus. */
export function useLastFailure({ error, isLoaded, of }: Attempt): GatewayFailure | null {
  const [last, setLast] = useState<{ readonly error: Error; readonly failure: GatewayFailure; readonly of: unknown } | null>(
    null,
  );
  if (error !== null && (last?.error !== error || last.of !== of)) setLast({ error, failure: toFailure(error), of });
  if (last !== null && error === null && (isLoaded || last.of !== of)) setLast(null);
  return last?.failure ?? null;
}
