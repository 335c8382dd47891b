import { Problems } from '../errors.js';
import { MAX_INT } from '../formats/integer.js';
import type { ExportRequest } from '../log-export/export-log.js';
import { FILTERS, parseFilter, type RawParameters, readOnce, refuseUnknown } from './filter-parameters.js';

const KNOWN = [...FILTERS, 'format', 'formulas', 'after', 'up-to'];

const ID = /^-?\d{1,10}$/;

/** Parses the query parameters of an export. @throws GatewayError BadDataError with everything that is wrong */
export function parseExportParameters(raw: RawParameters): ExportRequest {
  const problems = new Problems();
  refuseUnknown(raw, KNOWN, problems);
  const filter = parseFilter(raw, problems);
  const read = (name: string) => readOnce(raw, name, problems);
  const format = parseFormat(read('format'), problems);
  const keepsFormulas = parseFormulas(read('formulas'), format, problems);
  const after = parseId('after', read('after'), problems);
  const upTo = parseId('up-to', read('up-to'), problems);
  problems.throwIfAny();
  return { format, keepsFormulas, filter, after, upTo };
}

function parseFormat(value: string | undefined, problems: Problems): ExportRequest['format'] {
  if (value === 'csv') return 'csv';
  if (value !== undefined && value !== 'ndjson') problems.add('format', 'must be ndjson or csv');
  return 'ndjson';
}

function parseFormulas(value: string | undefined, format: ExportRequest['format'], problems: Problems): boolean {
  if (value === undefined) return false;
  if (value !== 'keep') problems.add('formulas', 'must be keep');
  else if (format !== 'csv') problems.add('formulas', 'belongs to format=csv');
  return true;
}

function parseId(name: string, value: string | undefined, problems: Problems): number | null {
  if (value === undefined) return null;
  if (ID.test(value) && Math.abs(Number(value)) <= MAX_INT) return Number(value);
  problems.add(name, `must be the id of an event: a whole number up to ${MAX_INT}`);
  return null;
}
