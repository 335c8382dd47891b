import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { EventFilter } from '../../../src/generated/console/graphql.js';
import { parseExportParameters } from '../../../src/rest/export-parameters.js';
import { toCurl, toGraphql, toRestParameters } from '../../../src/web/console/export/export-parameters.js';
import { EMPTY_FILTER } from '../../../src/web/console/filter/console-filter.js';
import { toEventFilter } from '../../../src/web/console/filter/filter-variables.js';

const list = fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 });
const filters: fc.Arbitrary<EventFilter> = fc.record(
  {
    features: list,
    projects: list,
    typeNames: list,
    createdByNames: list,
    environments: list,
    query: fc.string({ minLength: 1 }),
    since: fc.constant('2026-11-01T00:00:00.000Z'),
    until: fc.constant('2026-11-02T00:00:00.000Z'),
  },
  { requiredKeys: [] },
);

describe('the export of a filter', () => {
  test('parameters → the gateway parses them to the same filter', () => {
    fc.assert(
      fc.property(filters, (filter) => {
        const exported = toRestParameters(filter);
        fc.pre('parameters' in exported && !/\0/.test(JSON.stringify(filter).replaceAll('\\u0000', '\0')));
        if (!('parameters' in exported)) return;
        const raw = Object.fromEntries(new URLSearchParams(exported.parameters.toString()));
        const { filter: parsed } = parseExportParameters({ ...raw, format: 'ndjson' });
        const given = Object.fromEntries(Object.entries(parsed ?? {}).filter(([, value]) => value !== null));
        expect(given).toEqual(filter);
      }),
    );
  });

  test('excluded types → the gateway parses them to all other types', () => {
    const excluded = { ...EMPTY_FILTER, notTypes: ['feature-created', 'feature-updated'] };
    const filter = toEventFilter(excluded, new Date());
    const exported = toRestParameters(filter);
    if ('problem' in exported) throw new Error(exported.problem);
    expect(exported.parameters.get('type')).toBe('IS_NONE_OF:feature-created,feature-updated');
    const { filter: parsed } = parseExportParameters({ type: exported.parameters.get('type') ?? '' });
    expect(parsed?.types?.toSorted()).toEqual(filter.types?.toSorted());
    expect(parsed?.types).toContain('OTHER');
  });

  test.each<[EventFilter, RegExp]>([
    [{ createdByNames: ['Levy, Dana'] }, /cannot filter by “Levy, Dana”/],
    [{ features: [' a'] }, /cannot filter by “ a”/],
    [{ ids: [] }, /matches nothing/],
  ])('%j → why there is none', (filter, reason) => {
    expect(toRestParameters(filter)).toEqual({ problem: expect.stringMatching(reason) });
  });

  test('a command → quoted for a shell', () => {
    expect(toCurl('https://gateway/v1/events/export', new URLSearchParams({ query: "it's" }))).toBe(
      `curl --fail --header "authorization: $GATEWAY_TOKEN" 'https://gateway/v1/events/export?query=it%27s'`,
    );
  });

  test('an operation → its variables as comments', () => {
    expect(toGraphql('\nquery A { a }\n', { first: 1 })).toBe('# Variables: {\n#   "first": 1\n# }\nquery A { a }\n');
  });
});
