import { explainToOperator } from '../database/operator-message.js';
import { GatewayError, OperatorError } from '../errors.js';
import { ExportChangedError, type ExportRequest, type LogExport, startExport } from '../log-export/export-log.js';
import { createLocalDocuments, createOperatorContext } from '../log-export/local-documents.js';
import { parseExportParameters } from '../rest/export-parameters.js';
import { type ExportOutput, openOutputFile } from './export-output.js';
import { parseFilterOptions } from './filter-options.js';
import { clearProgress, createProgressLog } from './progress.js';
import { UsageError } from './report-failure.js';
import { STANDARD_OUTPUT } from './standard-output.js';
import { withReadableDatabase } from './with-database.js';

export interface ExportOptions {
  readonly format?: string;
  readonly output?: string;
  readonly after?: string;
  readonly upTo?: string;
  readonly formulas?: string;
  readonly filter: readonly string[];
}

/** Says why the export stopped before it was complete. */
class ExportError extends OperatorError {}

/**
 * Writes the events to a file or to standard output.
 * @throws UsageError if an option is not valid, ExportError if a signal, or an error after the first event, stops the export
 */
export async function runExport({ output: file, ...options }: ExportOptions): Promise<void> {
  const request = parseOptions(options);
  const stop = new AbortController();
  // A write to a pipe may wait forever for its reader. A second signal ends the process even then.
  const end = () => (stop.signal.aborted ? process.exit(1) : stop.abort());
  process.on('SIGINT', end).on('SIGTERM', end);
  try {
    await withReadableDatabase(async (database, config) => {
      const documents = createLocalDocuments(database, config);
      const found = await startExport(documents, request, createOperatorContext(stop.signal));
      const output = file === undefined ? STANDARD_OUTPUT : await openOutputFile(file, request);
      announce(found);
      await writePages(found, output, stop.signal).finally(output.close);
      clearProgress();
      process.stderr.write(`${found.count} events exported, up to the id ${found.upTo}\n`);
    });
  } catch (error) {
    if (stop.signal.aborted && !(error instanceof OperatorError)) throw new ExportError('Stopped before the first event.');
    throw withCause(error);
  } finally {
    process.removeListener('SIGINT', end).removeListener('SIGTERM', end);
  }
}

/** Names the end of the export before its first event, because a command that is killed cannot say how to continue. */
function announce({ count, upTo }: LogExport): void {
  process.stderr.write(
    `Exporting ${count} events. If the export is interrupted, continue it with --after <id of the last event that arrived> --up-to ${upTo}.\n`,
  );
}

/** Writes the pages of an export. @throws ExportError that says how to go on, if some events were written */
async function writePages({ pages, count, upTo }: LogExport, output: ExportOutput, signal: AbortSignal): Promise<void> {
  const logProgress = createProgressLog();
  let written = 0;
  let after: number | null = null;
  try {
    for await (const { text, events, lastId } of pages()) {
      signal.throwIfAborted();
      await output.write(text);
      written += events;
      after = lastId ?? after;
      logProgress(`${written.toLocaleString('en')} of ${count.toLocaleString('en')} events exported`);
    }
  } catch (error) {
    if (after === null) {
      await output.discard();
      throw error;
    }
    if (error instanceof ExportChangedError) throw new ExportError(error.message);
    const reason = signal.aborted ? 'Stopped.' : (explainToOperator(withCause(error)) ?? `${(error as Error).message}.`);
    // The reader of a pipe may have ended before it had read the last page.
    const last = output === STANDARD_OUTPUT ? '<id of the last event that arrived>' : after;
    throw new ExportError(`${reason} To continue, run the command again with --after ${last} --up-to ${upTo}.`);
  }
}

/** Returns the cause of a `GatewayError`, because its message for clients hides the cause. Returns any other error unchanged. */
function withCause(error: unknown): unknown {
  return error instanceof GatewayError && error.cause !== undefined ? error.cause : error;
}

/** @throws UsageError that lists every problem. It calls each option by the name of its REST parameter. */
function parseOptions({ filter, ...options }: ExportOptions): ExportRequest {
  const parameters = parseFilterOptions(filter);
  const { format, formulas, after, upTo } = options;
  for (const [name, value] of Object.entries({ format, formulas, after, 'up-to': upTo })) {
    if (value !== undefined) parameters.append(name, value);
  }
  const toRaw = (name: string) => {
    const [first = '', ...others] = parameters.getAll(name);
    return others.length > 0 ? [first, ...others] : first;
  };
  try {
    return parseExportParameters(Object.fromEntries([...parameters.keys()].map((name) => [name, toRaw(name)])));
  } catch (error) {
    throw error instanceof GatewayError
      ? new UsageError(error.message.replace('The request is not valid', 'The options are not valid'))
      : error;
  }
}
