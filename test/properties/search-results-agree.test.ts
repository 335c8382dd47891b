import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toFilterParameters } from '../support/filter-parameters.js';
import { EVENT_FIELDS, toGraphqlEvent } from '../support/graphql-event.js';
import { featureNames, graphqlFilter, offsetPage, restFilter, textFilter } from '../support/log-filters.js';
import { filterLog, type LogFilter, type LoggedEvent, loggedEvents } from '../support/naive-filter.js';
import { randomRuns } from '../support/random-runs.js';
import { recordedById, recordedEvents } from '../support/recorded-log.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const RUNS = { seed: 20261121, numRuns: randomRuns(200) };

const SEARCH = `query ($filter: EventFilter, $offset: Int!, $limit: Int!) {
  searchEvents(filter: $filter, offset: $offset, limit: $limit) { total events { ${EVENT_FIELDS} } }
  events(filter: $filter, first: $limit) { totalCount nodes { id } }
}`;
const FEATURE_EVENTS = `query ($featureName: String!) {
  featureEvents(featureName: $featureName) { version toggleName totalEvents events { ${EVENT_FIELDS} } }
}`;

interface OffsetPage {
  readonly offset: number;
  readonly limit: number;
}

const toQueryString = (filter: LogFilter, { offset, limit }: OffsetPage, operator: string): string =>
  `${toFilterParameters(filter, operator)}&offset=${offset}&limit=${limit}`;

describe('REST, GraphQL and a naive filter over the log agree', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('log');
  });
  afterAll(() => gateway.stop());

  /** The number of matching events in each run, to check that the filters often match some events but not all. */
  let found: number[] = [];
  const expectVariety = () => {
    const selective = found.filter((count) => count > 0 && count < recordedEvents.length);
    expect(selective.length).toBeGreaterThan(RUNS.numRuns / 3);
    found = [];
  };

  async function expectGraphqlResult(
    filter: LogFilter,
    { offset, limit }: OffsetPage,
    matching: readonly LoggedEvent[],
    token?: string,
  ) {
    const { body } = await gateway.graphql(SEARCH, { filter, offset, limit }, token === undefined ? {} : { token });

    found.push(matching.length);
    expect(body).toEqual({
      data: {
        searchEvents: { total: matching.length, events: matching.slice(offset, offset + limit).map(toGraphqlEvent) },
        events: { totalCount: matching.length, nodes: matching.slice(0, limit).map(({ id }) => ({ id })) },
      },
    });
  }

  async function expectRestResult(
    query: string,
    { offset, limit }: OffsetPage,
    matching: readonly LoggedEvent[],
    token?: string,
  ) {
    const { status, body } = await gateway.send(`/api/admin/search/events?${query}`, token === undefined ? {} : { token });
    const events = matching.slice(offset, offset + limit).map(({ id }) => recordedById.get(id));

    expect(body).toEqual({ total: matching.length, events });
    expect(status).toBe(200);
  }

  test('a search with any filter and page', async () => {
    const operator = fc.constantFrom('IS', 'IS_ANY_OF');
    await fc.assert(
      fc.asyncProperty(restFilter, offsetPage, operator, async (filter, page, is) => {
        const matching = filterLog(filter);
        await expectRestResult(toQueryString(filter, page, is), page, matching);
        await expectGraphqlResult(filter, page, matching);
      }),
      RUNS,
    );
    expectVariety();
  });

  test('a search by any name, and by environment', async () => {
    await fc.assert(
      fc.asyncProperty(graphqlFilter, offsetPage, (filter, page) => expectGraphqlResult(filter, page, filterLog(filter))),
      RUNS,
    );
    expectVariety();
  });

  test('a search for text in data, preData and tags', async () => {
    await fc.assert(
      fc.asyncProperty(textFilter, offsetPage, (filter, page) => expectGraphqlResult(filter, page, filterLog(filter))),
      RUNS,
    );
    expectVariety();
  });

  test('a search with a token limited to projects', async () => {
    const projects = ['*', 'other-project'];
    const token = await gateway.createToken({ projects: ['other-project', 'no-project'] });
    await fc.assert(
      fc.asyncProperty(restFilter, offsetPage, async (filter, page) => {
        const matching = filterLog(filter).filter(({ project }) => project === 'other-project');
        await expectRestResult(toQueryString(filter, page, 'IS'), page, matching, token);
        await expectGraphqlResult(filter, page, matching, token);
      }),
      {
        ...RUNS,
        examples: [
          [{}, { offset: 0, limit: 50 }],
          [{ projects }, { offset: 0, limit: 50 }],
        ],
      },
    );
    found = [];
  });

  test.each(featureNames.map((name) => [name]))('all events of the flag %j', async (featureName) => {
    const events = recordedEvents.filter((event) => event.featureName === featureName);
    const list = { version: 1, toggleName: featureName, totalEvents: events.length };
    const { body } = await gateway.graphql(FEATURE_EVENTS, { featureName });

    expect(body).toEqual({ data: { featureEvents: { ...list, events: events.map(toGraphqlEvent) } } });
    if (featureName === '') return; // No REST path can name a flag with an empty name.
    const rest = await gateway.send(`/api/admin/events/${encodeURIComponent(featureName)}`);
    expect(rest.body).toEqual({ ...list, events });
  });

  test('the raw texts that the naive filter searches → parse to the values of the events', () => {
    for (const event of loggedEvents) {
      expect(JSON.parse(event.rawData ?? 'null')).toEqual(event.data);
      expect(JSON.parse(event.rawPreData ?? 'null')).toEqual(event.preData);
    }
  });
});
