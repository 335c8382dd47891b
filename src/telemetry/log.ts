import { pino } from 'pino';

/** Selects the fields of an error for the log. PostgreSQL's `detail` is left out: it shows a row, which may contain a secret. */
export function describeError(error: unknown) {
  if (!(error instanceof Error)) return String(error);
  const { type, message, stack } = pino.stdSerializers.err(error);
  const { code } = error as NodeJS.ErrnoException;
  return { type, message, stack, ...(code !== undefined && { code }) };
}
