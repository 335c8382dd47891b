import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { GatewayError } from '../../src/errors.js';
import { parseCountsParameters } from '../../src/rest/counts-parameters.js';

describe('parameters of counts', () => {
  test('nothing → the defaults', () => {
    expect(parseCountsParameters({})).toEqual({ filter: {}, by: null, interval: null, timeZone: 'UTC', top: 10 });
  });

  test('every parameter → its variable', () => {
    const filters = {
      feature: 'IS:a',
      project: 'IS:b,c',
      type: 'IS_ANY_OF:d',
      createdBy: 'IS:1',
      environment: 'IS:e',
      id: 'IS:2',
    };
    const others = { query: 'q', from: 'IS:2024-01-01', to: 'IS:2024-01-02', createdByName: 'IS: Ann ,Bob' };
    const range = { since: '2024-01-01T01:00:00+01:00', until: '2024-01-02T00:00:00.1239Z' };
    const request = { by: 'FEATURE', interval: 'WEEK', timeZone: 'Europe/Berlin', top: '050' };
    expect(parseCountsParameters({ ...filters, ...others, ...range, ...request })).toEqual({
      filter: {
        features: ['a'],
        projects: ['b', 'c'],
        typeNames: ['d'],
        createdByUserIds: [1],
        environments: ['e'],
        ids: [2],
        query: 'q',
        from: '2024-01-01',
        to: '2024-01-02',
        createdByNames: ['Ann', 'Bob'],
        since: '2024-01-01T00:00:00.000Z',
        until: '2024-01-02T00:00:00.123Z',
      },
      by: 'FEATURE',
      interval: 'WEEK',
      timeZone: 'Europe/Berlin',
      top: 50,
    });
  });

  test('any other name → rejected by its name', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (name) => {
        fc.pre(!['query', 'feature', 'project', 'type', 'from', 'to', 'id', 'by', 'top'].includes(name));
        try {
          parseCountsParameters(Object.fromEntries([[name, '1']]));
        } catch (error) {
          return error instanceof GatewayError && error.details.length === 1;
        }
        return false;
      }),
    );
  });
});
