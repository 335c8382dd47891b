import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parsePath, printPath, type Route } from '../../../src/web/console/navigation/routes.js';

const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/^\.\.?$/.test(text));
const route: fc.Arbitrary<Route> = fc.oneof(
  fc.constant<Route>({ page: 'timeline' }),
  fc.constant<Route>({ page: 'invite' }),
  fc.integer({ min: 1, max: 2_147_483_647 }).map((id): Route => ({ page: 'event', id })),
  fc
    .tuple(fc.constantFrom('flag' as const, 'project' as const, 'person' as const), name)
    .map(([page, text]): Route => ({ page, name: text })),
);

describe('the paths of the pages', () => {
  test('any page → a path that leads to it, by a URL of a browser', () => {
    fc.assert(
      fc.property(route, (page) => {
        const { pathname } = new URL(printPath(page), 'http://gateway/tools/');
        expect(parsePath(pathname.slice('/tools/'.length))).toEqual(page);
      }),
    );
  });

  test.each([
    'events',
    'events/0',
    'events/abc',
    'events/2147483648',
    'events/1/2',
    'flags',
    'flags/%E0%A4%A',
    'toString/x',
    'none',
  ])('%s → no page', (path) => {
    expect(parsePath(path)).toEqual({ page: 'unknown' });
  });

  test('a slash at the end → the same page', () => {
    expect(parsePath('events/17/')).toEqual({ page: 'event', id: 17 });
  });
});
