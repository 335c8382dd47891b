import { UsageError } from './report-failure.js';

/** Parses options of the form `name=value` into query parameters. @throws UsageError for another form */
export function parseFilterOptions(filters: readonly string[]): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const text of filters) {
    const separator = text.indexOf('=');
    if (separator < 1)
      throw new UsageError(`--filter must have the form name=value, such as project=IS:default, and not ${text}.`);
    parameters.append(text.slice(0, separator), text.slice(separator + 1));
  }
  return parameters;
}
