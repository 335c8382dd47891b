import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createSelectiveParts } from '../../src/text-search/selective-part.js';

const SAMPLE = Array.from(
  { length: 100 },
  (_, n) => `{"name" : "flexibleRollout", "groupId" : "group-${n}", "stickiness" : "default"}`,
);
const findIn = (data: readonly string[]) => createSelectiveParts(async () => ({ data, preData: [], tags: [] })).find;

describe('the part of a literal that is looked up', () => {
  test.each([
    ['"groupId" : "group-4711"', 'p-4711"'],
    ['"GROUPID" : "GROUP-4711"', 'P-4711"'],
    ['"groupId" : "kiwi", "stickiness" : "default"', '"kiwi",'],
    ['"stickiness" : "154640e7afaeb2c3b803d9e3ee80c681"', '"154640e7af'],
    ['154640e7afaeb2c3b803d9e3ee80c681', '154640e7afae'],
    ['"name" : "flexibleRollout", "other" : 1', ', "other" : 1'],
  ])('%s → %s, where every event has the rest', async (literal, part) => {
    const found = await findIn(SAMPLE)(literal, 'data');
    expect(literal).toContain(found);
    expect(found).toContain(part.slice(1, -1));
    expect(found?.length).toBeLessThanOrEqual(16);
  });

  test.each([
    ['group-42', 'a sampled event has it'],
    ['GROUP-42', 'a sampled event has it, in other case'],
    ['kiwi', 'none of it is frequent'],
    ['"stickiness" : "default ?', 'what is rare of it has no three letters'],
    ['"groupId" : "kiwi-77-kiwi-İstanbul"', 'İ is two characters in lower case'],
    ['"groupId" : "kiwi-77-ΣΣΣΣΣΣ"', 'a sigma is another letter at the end of a word'],
    ['"groupId" : "kiwi-77-kiwi-77🏁kiwi"', 'half a surrogate pair is not in any text'],
    ['ab', 'it is shorter than what the index knows'],
    ['', 'it is empty'],
  ])('%s → the whole, as %s', async (literal) => {
    expect(await findIn(SAMPLE)(literal, 'data')).toBeNull();
  });

  test('any literal → a part of it, or the whole', async () => {
    const find = findIn(SAMPLE);
    const word = fc.constantFrom(
      '"groupId" : ',
      '"group-',
      '"stickiness" : "default"',
      '77',
      'checkout',
      ', ',
      '%_\\',
      'ß',
      '🏁',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 30 }), async (words) => {
        const literal = words.join('');
        const part = (await find(literal, 'data')) ?? literal;
        expect(literal).toContain(part);
        expect(part.isWellFormed()).toBe(true);
      }),
    );
  });

  test('of a few texts → the whole, as they tell nothing', async () => {
    expect(await findIn(SAMPLE.slice(0, 10))('"groupId" : "group-4711"', 'data')).toBeNull();
  });

  test('of a long literal → a part of its beginning, or the whole', async () => {
    const find = findIn(SAMPLE);
    const literal = '"stickiness" : "default", '.repeat(4000);
    expect(await find(`${literal}kiwi`, 'data')).toBeNull();
    expect(await find(`kiwi-4711 ${literal}`, 'data')).toContain('kiwi-4711');
  });

  test('a sample that could not be read → the next search reads one', async () => {
    let isUnavailable = true;
    const { find } = createSelectiveParts(async () => {
      if (isUnavailable) throw new Error('away');
      return { data: SAMPLE, preData: [], tags: [] };
    });
    await expect(find('"groupId" : "group-4711"', 'data')).rejects.toThrow('away');
    isUnavailable = false;
    expect(await find('"groupId" : "group-4711"', 'data')).toMatch(/-4711/);
  });
});
