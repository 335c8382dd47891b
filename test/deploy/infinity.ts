/** A column of a query of Grafana's Infinity data source: which property of a row it reads, and how Grafana calls it. */
interface Column {
  readonly selector: string;
  readonly text: string;
  readonly type: 'string' | 'number' | 'timestamp';
}

interface Pair {
  readonly key: string;
  readonly value: string;
}

/** A query of Grafana's Infinity data source, with the options that the files in deploy/grafana use. */
export interface InfinityQuery {
  readonly type: 'json' | 'graphql';
  readonly source: string;
  readonly parser: string;
  readonly format: string;
  readonly url: string;
  readonly url_options: {
    readonly method: 'GET' | 'POST';
    readonly params?: readonly Pair[];
    readonly body_graphql_query?: string;
  };
  readonly root_selector: string;
  readonly columns: readonly Column[];
}

/** The options of a query that the plugin documents. An option with a wrong name would be ignored. */
export const QUERY_OPTIONS = new Set(
  'refId datasource type source parser format url url_options root_selector columns filters filterExpression'.split(' '),
);
export const URL_OPTIONS = new Set(
  'method data params body_type body_content_type body_graphql_query body_graphql_variables'.split(' '),
);
export const FORMATS = ['table', 'timeseries', 'dataframe'];

/** The values that a dashboard puts into its queries. */
export interface Dashboard {
  readonly from: string;
  readonly to: string;
  /** The values of the variables. `*` stands for all. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Replaces the variables, then the macros, as Grafana and the plugin document it: grafana.com/docs/plugins, Infinity, Macros. */
export function interpolate(text: string, { from, to, variables }: Dashboard): string {
  return text
    .replaceAll(/\$\{(\w+)\}/g, (variable, name) => variables[name] ?? variable)
    .replaceAll(/\$__combineValues\((.*?)\)/g, (_, list: string) => {
      const [prefix = '', suffix = '', joinBy = '', ...values] = list.split(',');
      if (values.length === 1 && values[0] === '*') return '';
      return values.map((value) => `${prefix}${value}${suffix}`).join(joinBy.replaceAll('__space', ' '));
    })
    .replaceAll('${__timeFrom:date}', from)
    .replaceAll('${__timeTo:date}', to);
}

/** Returns the path with its parameters. The plugin adds those of `params` to those of `url`. */
export function toPath({ url, url_options: { params = [] } }: InfinityQuery, dashboard: Dashboard): string {
  const { pathname, searchParams } = new URL(interpolate(url, dashboard), 'http://gateway');
  for (const { key, value } of params) searchParams.append(key, interpolate(value, dashboard));
  return `${pathname}?${searchParams}`;
}

/** Reads the rows by a root selector such as `data.events.nodes`. */
export function selectRows({ root_selector: selector }: InfinityQuery, body: unknown): Record<string, unknown>[] {
  return selector.split('.').reduce((value, name) => (value as Record<string, unknown>)[name], body) as Record<string, unknown>[];
}

/** Returns the cells of a row by the names that Grafana sees. */
export function toCells({ columns }: InfinityQuery, row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(columns.map(({ selector, text, type }) => [text, toCell(selector, type, row)]));
}

/** @throws if the property is absent, or not of the type of the column */
function toCell(selector: string, type: Column['type'], row: Record<string, unknown>): unknown {
  if (!(selector in row)) throw new Error(`A row has no ${selector}.`);
  const value = row[selector];
  // The backend parser of the plugin reads times in the form of RFC 3339.
  const fits = {
    string: value === null || typeof value === 'string',
    number: typeof value === 'number',
    timestamp: isInstant(value),
  };
  if (!fits[type]) throw new Error(`${selector} is ${JSON.stringify(value)}, which is no ${type}.`);
  return value;
}

const isInstant = (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value);
