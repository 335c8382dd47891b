import { pino } from 'pino';

/** Selects the fields of an error for the log. PostgreSQL's `detail` is left out: it shows a row, which may contain a secret. */
export function describeError(error: unknown) {
  if (!(error instanceof Error)) return String(error);
  const { type, message, stack } = pino.stdSerializers.err(error);
  const { code } = error as NodeJS.ErrnoException;
  return { type, message, stack, ...(code !== undefined && { code }) };
}

/** Writes the buffered log lines. A closed standard output, such as that of `serve | head`, does not stop the gateway. */
export function flush(output: { flushSync(): void } | undefined): void {
  try {
    output?.flushSync();
  } catch {
    // The stream reports the failure of its next write as an event.
  }
}
