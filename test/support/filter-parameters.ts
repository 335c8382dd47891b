import type { LogFilter } from './naive-filter.js';

/** Returns a filter as query parameters. @param operator `IS` or `IS_ANY_OF` */
export function toFilterParameters(filter: LogFilter, operator: string): string {
  const list = (values: readonly (string | number)[] | undefined) => values && `${operator}:${values.join(',')}`;
  const parameters = {
    query: filter.query,
    feature: list(filter.features),
    project: list(filter.projects),
    type: list(filter.typeNames),
    createdBy: list(filter.createdByUserIds),
    environment: list(filter.environments),
    id: list(filter.ids),
    from: filter.from && `IS:${filter.from}`,
    to: filter.to && `IS:${filter.to}`,
    createdByName: list(filter.createdByNames),
    since: filter.since,
    until: filter.until,
  };
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
}
