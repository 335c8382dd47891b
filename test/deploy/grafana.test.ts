import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { importSampleLog } from '../../src/demo/import-sample-log.js';
import { EVENT_TYPES } from '../../src/events/event-types.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';
import {
  type Dashboard,
  FORMATS,
  type InfinityQuery,
  interpolate,
  QUERY_OPTIONS,
  selectRows,
  toCells,
  toPath,
  URL_OPTIONS,
} from './infinity.js';
import { readText } from './repository.js';

// biome-ignore lint/suspicious/noExplicitAny: Grafana's files can have any shape; tests inspect them
type Json = any;

const FOLDER = 'deploy/grafana';
const readYaml = (name: string): Json => parse(readText(`${FOLDER}/provisioning/${name}/flag-admin-gateway.yaml`));
const dashboard: Json = JSON.parse(readText(`${FOLDER}/dashboards/flag-admin-gateway.json`));
const [source] = readYaml('datasources').datasources;
const rules: Json[] = readYaml('alerting').groups.flatMap((group: Json) => group.rules);
const operations: Json = JSON.parse(readText('openapi.json')).paths;

const variables: Json[] = dashboard.templating.list;
const annotations: Json[] = dashboard.annotations.list.filter((annotation: Json) => annotation.target);
const panels: [string, InfinityQuery][] = dashboard.panels.flatMap((panel: Json) =>
  panel.targets.map((target: Json) => [`panel ${panel.title}`, target]),
);
const queries: [string, InfinityQuery][] = [
  ...panels,
  ...annotations.map((annotation): [string, InfinityQuery] => [`annotation ${annotation.name}`, annotation.target]),
  ...variables
    .filter(({ query }) => query.infinityQuery)
    .map(({ name, query }): [string, InfinityQuery] => [`variable ${name}`, query.infinityQuery]),
  ...rules.map((rule): [string, InfinityQuery] => [`rule ${rule.title}`, rule.data[0].model]),
];
const find = (name: string) => queries.find(([each]) => each === name)?.[1] as InfinityQuery;

const NINETY_DAYS_MS = 90 * 24 * 60 * 60 * 1000;
const to = new Date();
const all: Dashboard = {
  from: new Date(to.getTime() - NINETY_DAYS_MS).toISOString(),
  to: to.toISOString(),
  variables: { project: '*', environment: '*', interval: 'AUTO' },
};
const some: Dashboard = { ...all, variables: { project: 'payments', environment: 'production', interval: 'WEEK' } };

describe(FOLDER, () => {
  test('panels, annotations and rules use the data source that is provisioned', () => {
    const sources = [...dashboard.panels, ...annotations, ...variables.filter(({ type }) => type === 'query')];
    for (const { datasource } of sources) expect(datasource).toEqual({ type: source.type, uid: source.uid });
    for (const { data } of rules) expect(data.map((query: Json) => query.datasourceUid)).toEqual([source.uid, '__expr__']);
    expect(source.jsonData).toMatchObject({ auth_method: 'bearerToken', allowedHosts: [source.url] });
  });

  test.each(queries)('%s → options that the plugin knows, by a parser that works for alerts', (_, query) => {
    expect(Object.keys(query).filter((name) => !QUERY_OPTIONS.has(name))).toEqual([]);
    expect(Object.keys(query.url_options).filter((name) => !URL_OPTIONS.has(name))).toEqual([]);
    expect([query.source, query.parser]).toEqual(['url', 'backend']);
    expect(FORMATS).toContain(query.format);
  });

  test.each(queries)('%s → a path and parameters of openapi.json, or GraphQL', (_, query) => {
    const { pathname, searchParams } = new URL(toPath(query, some), 'http://gateway');
    if (query.type === 'graphql') return expect([pathname, query.url_options.method]).toEqual(['/graphql', 'POST']);
    const known = operations[pathname].get.parameters.map(({ name }: Json) => name);
    expect([...searchParams.keys()].filter((name) => !known.includes(name))).toEqual([]);
    const types = searchParams.get('type')?.replace('IS_ANY_OF:', '').split(',') ?? [];
    expect(types.filter((type) => !(EVENT_TYPES as readonly string[]).includes(type))).toEqual([]);
  });

  test('each variable that a query names is one of the dashboard', () => {
    const named = [...JSON.stringify([dashboard.panels, annotations]).matchAll(/\$\{([a-z]\w*)\}/g)].map(([, name]) => name);
    expect(new Set(named)).toEqual(new Set(variables.map(({ name }) => name)));
  });

  test('bar charts, overrides and sorting name a column of their query', () => {
    for (const panel of dashboard.panels) {
      const columns = panel.targets.flatMap((target: Json) => target.columns.map(({ text }: Json) => text));
      const sorted = (panel.options.sortBy ?? []).map(({ displayName }: Json) => displayName);
      const overridden = panel.fieldConfig.overrides.map(({ matcher }: Json) => matcher.options);
      const labels = [...JSON.stringify(panel.fieldConfig).matchAll(/__field\.labels\.(\w+)/g)].map(([, name]) => name);
      const x = panel.options.xField === undefined ? [] : [panel.options.xField];
      expect(columns).toEqual(expect.arrayContaining([...sorted, ...overridden, ...labels, ...x]));
    }
  });

  test('the rule for access → every event type about a token, a user, a group, a role or access', () => {
    const { params } = rules.find(({ title }) => title.startsWith('Access'))?.data[0].model.url_options ?? {};
    const listed = params
      .find(({ key }: Json) => key === 'type')
      .value.replace('IS_ANY_OF:', '')
      .split(',');
    const about = /(^|-)(tokens?|access|users?|roles?|groups?|pat|account)(-|$)/;
    const expected = EVENT_TYPES.filter((type) => about.test(type) && type !== 'user-preference-updated');
    expect([...listed].sort()).toEqual([...expected].sort());
    expect(listed.length).toBeLessThanOrEqual(Number(params.find(({ key }: Json) => key === 'top').value));
  });

  test.each(rules.map((rule) => [rule.title, rule]))('rule %s → one number per row, compared by its condition', (_, rule) => {
    const [query, condition] = rule.data;
    expect(query.model.columns.map(({ type }: Json) => type)).toEqual(['string', 'number']);
    expect([rule.condition, condition.model.expression]).toEqual([condition.refId, query.refId]);
    const label = /\{\{ \.Labels\.(\w+) \}\}/.exec(rule.annotations.summary)?.[1];
    expect(label).toBe(query.model.columns[0].text);
  });
});

describe(`${FOLDER}, on the sample log`, () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
    await importSampleLog(gateway.database);
  });
  afterAll(() => gateway.stop());

  /** Sends the request with the plugin's headers. */
  const read = async (query: InfinityQuery, values: Dashboard) => {
    const headers = { accept: 'application/json;q=0.9,text/plain' };
    const token = `Bearer ${gateway.viewerToken}`;
    const response =
      query.type === 'graphql'
        ? await gateway.graphql(interpolate(query.url_options.body_graphql_query ?? '', values), {}, { token, headers })
        : await gateway.send(toPath(query, values), { token, headers });
    expect([response.status, response.body?.errors]).toEqual([200, undefined]);
    return selectRows(query, response.body).map((row) => toCells(query, row));
  };

  test.each(queries)('%s → rows with its columns', async (name, query) => {
    const rows = await read(query, all);
    expect(rows.length).toBeGreaterThan(0);
    const times = rows.flatMap((row) => row['time'] ?? []);
    // Grafana makes series of rows only if their times ascend.
    if (query.format === 'timeseries') expect([times.length, times]).toEqual([rows.length, [...times].sort()]);
    if (name.startsWith('annotation')) expect(Object.keys(rows[0] ?? {}).sort()).toEqual(['tags', 'text', 'time', 'title']);
  });

  test('a project and an environment → only their events', async () => {
    const log = find('panel Log');
    const rows = await read(log, some);
    expect(new Set(rows.map((row) => `${row['Project']} ${row['Environment']}`))).toEqual(new Set(['payments production']));
    const total = async (values: Dashboard) => (await read(find('panel Events'), values))[0]?.['Events'];
    const { prisma } = gateway;
    expect(await total(some)).toBe(await prisma.event.count({ where: { project: 'payments', environment: 'production' } }));
    expect(await total(all)).toBe(await prisma.event.count());
  });

  test('no event in the range → no row for the table and the rules, and a count of 0', async () => {
    const empty = { ...all, from: '2001-01-01T00:00:00.000Z', to: '2001-01-02T00:00:00.000Z' };
    expect(await read(find('panel Log'), empty)).toEqual([]);
    for (const { title } of rules) expect(await read(find(`rule ${title}`), empty)).toEqual([]);
    expect(await read(find('panel Events'), empty)).toEqual([{ Events: 0 }]);
  });

  test('the variables → every project and environment, and null for events without one', async () => {
    const rows = await read(find('variable environment'), all);
    const found = await gateway.prisma.event.findMany({ distinct: ['environment'], select: { environment: true } });
    expect(new Set(rows.map((row) => row['environment']))).toEqual(new Set(found.map(({ environment }) => environment)));
  });

  test('a wrong column → noticed by this test', () => {
    const query = { ...find('panel Log'), columns: [{ selector: 'flag', text: 'Flag', type: 'string' as const }] };
    expect(() => toCells(query, { featureName: 'checkout' })).toThrow('A row has no flag.');
  });
});
