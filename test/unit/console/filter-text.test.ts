import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { EMPTY_FILTER } from '../../../src/web/console/filter/console-filter.js';
import { parseFilterText, printFilterText } from '../../../src/web/console/filter/filter-text.js';
import { RUNS, randomFilter } from './random-filter.js';

const messageOf = (text: string) => parseFilterText(text).problems.map(({ message }) => message);
const suggestionOf = (text: string) => parseFilterText(text).problems.map(({ suggestion }) => suggestion);

describe('text of a filter', () => {
  test('keys, values and free text → the filter', () => {
    const text =
      'project:default type:feature-archived by:ada flag:checkout env:production since:7d until:2026-11-01 "free text"';
    expect(parseFilterText(text)).toEqual({
      filter: {
        projects: ['default'],
        types: ['feature-archived'],
        people: ['ada'],
        flags: ['checkout'],
        environments: ['production'],
        since: '7d',
        until: '2026-11-01',
        text: 'free text',
      },
      problems: [],
    });
  });

  test.each([
    ['several values of a key', 'env:dev env:prod env:dev', { environments: ['dev', 'prod'] }],
    [
      'keys in any case, other words for keys',
      'ENV:dev Environment:prod Feature:a createdBy:b',
      {
        environments: ['dev', 'prod'],
        flags: ['a'],
        people: ['b'],
      },
    ],
    [
      'blanks and quotes in quotes',
      String.raw`by:"Ada \"the first\" L" flag:"a\\b"`,
      {
        people: ['Ada "the first" L'],
        flags: ['a\\b'],
      },
    ],
    ['a quote within a value', 'by:O"Neil', { people: ['O"Neil'] }],
    ['a colon within a value', 'by:a:b', { people: ['a:b'] }],
    ['words without a key', ' roll  out env:dev 50%', { text: 'roll out 50%', environments: ['dev'] }],
    ['a colon in quotes', '"env:dev"', { text: 'env:dev' }],
    ['empty quotes', '"" a', { text: 'a' }],
    ['a word with a minus', '-5', { text: '-5' }],
    ['an excluded type', 'type:a -Type:feature-updated', { types: ['a'], notTypes: ['feature-updated'] }],
    ['nothing', '  ', {}],
  ])('%s', (_name, text, expected) => {
    expect(parseFilterText(text)).toEqual({ filter: { ...EMPTY_FILTER, ...expected }, problems: [] });
  });

  test('printed, and parsed again → the same filter, without a problem', () => {
    fc.assert(
      fc.property(randomFilter, (filter) => {
        expect(parseFilterText(printFilterText(filter))).toEqual({ filter, problems: [] });
      }),
      { numRuns: RUNS },
    );
  });

  test('any text → the printed filter parses to the same filter', () => {
    const piece = fc.constantFrom('env', ':', '"', '\\', ' ', '-', 'since:7d', 'by', 'n', 'x:y', '\n', 'é');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const { filter, problems } = parseFilterText(text);
        expect(parseFilterText(printFilterText(filter))).toEqual({ filter, problems: [] });
        for (const { term, start, end } of problems) expect(text.slice(start, end)).toBe(term);
      }),
      { numRuns: RUNS },
    );
  });

  test('the filter is printed in one order, with quotes only where they are needed', () => {
    const { filter } = parseFilterText('"a b" since:1h env:"prod" by:"Ada L" project:p');
    expect(printFilterText(filter)).toBe('project:p by:"Ada L" env:prod since:1h "a b"');
  });
});

describe('problems of a filter text', () => {
  test('a problem has its place, and the other parts apply', () => {
    expect(parseFilterText('env:dev enviroment:prod by:ada')).toEqual({
      filter: { ...EMPTY_FILTER, environments: ['dev'], people: ['ada'] },
      problems: [
        {
          message: 'A filter has no key “enviroment”. Did you mean “env”?',
          term: 'enviroment:prod',
          start: 8,
          end: 23,
          suggestion: 'env:prod',
        },
      ],
    });
  });

  test.each([
    ['proj:a', 'project:a'],
    ['tpye:a', undefined],
    ['typ:"a b"', 'type:"a b"'],
    ['author:a', '"author:a"'],
    ['https://example.com', '"https://example.com"'],
    ['x:"a b"', String.raw`"x:\"a b\""`],
  ])('unknown key in %s → the suggestion %s', (text, suggestion) => {
    expect(suggestionOf(text)).toEqual([suggestion ?? `"${text}"`]);
  });

  test('each suggestion parses without a problem', () => {
    const texts = ['proj:a', 'https://x', 'x:"a b"', '"open', String.raw`by:"a\"`, '-x:y', 'Tipe:"q'];
    for (const text of texts) {
      const [suggestion = ''] = suggestionOf(text);
      expect({ text, problems: messageOf(suggestion) }).toEqual({ text, problems: [] });
    }
  });

  test.each([
    ['-env:development', '-env:development cannot be excluded. Only event types can, such as -type:feature-updated.'],
    ['-type:new', 'The event type new is not known, so it cannot be excluded.'],
    ['env:', 'env: needs a value, such as env:production.'],
    ['by:" "', 'by: needs a value, such as by:ada.'],
    ['by:"ada', 'A quote is missing at the end of by:"ada.'],
    ['since:7d since:1d', 'since: is given twice. since:7d applies.'],
    [`"${'a'.repeat(1_001)}"`, 'The text to search for has at most 1,000 characters.'],
    [
      'since:yesterday',
      'since: must be an age such as 30m, 24h, 7d or 2w, a UTC day such as 2026-11-01, or an instant such as 2026-11-01T08:00:00Z.',
    ],
  ])('%s', (text, message) => {
    expect(messageOf(text)).toEqual([message]);
  });
});
