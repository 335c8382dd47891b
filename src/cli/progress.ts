/** Shows progress on a terminal only, so that a log or a pipe gets nothing but the result. */
export function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

export function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
}

const LINE_EVERY_MS = 10_000;

/** Creates a function that shows progress: in place on a terminal, or as a line every ten seconds in the log of a service. */
export function createProgressLog(everyMs: number = LINE_EVERY_MS): (text: string) => void {
  let writtenAt = performance.now();
  return (text) => {
    if (process.stderr.isTTY) return showProgress(text);
    if (performance.now() - writtenAt < everyMs) return;
    writtenAt = performance.now();
    process.stderr.write(`${text}\n`);
  };
}
