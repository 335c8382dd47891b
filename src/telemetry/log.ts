import { pino } from 'pino';

/** How an error is in the log: not with all that it carries, such as the row of which PostgreSQL tells in `detail`, which may hold a secret. */
export function describeError(error: unknown) {
  if (!(error instanceof Error)) return String(error);
  const { type, message, stack } = pino.stdSerializers.err(error);
  const { code } = error as NodeJS.ErrnoException;
  return { type, message, stack, ...(code !== undefined && { code }) };
}
