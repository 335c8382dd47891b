import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createSelectiveParts } from '../../src/text-search/selective-part.js';

const SAMPLE = Array.from(
  { length: 100 },
  (_, n) => `{"name" : "flexibleRollout", "groupId" : "group-${n}", "stickiness" : "default"}`,
);
const findIn = (data: readonly string[]) =>
  createSelectiveParts(async () => ({ data, preData: [], tags: [], isIndexed: true })).find;

describe('the selective part of a literal', () => {
  test.each([
    ['"groupId" : "group-4711"', 'p-4711"'],
    ['"GROUPID" : "GROUP-4711"', 'P-4711"'],
    ['"groupId" : "kiwi", "stickiness" : "default"', '"kiwi",'],
    ['"stickiness" : "154640e7afaeb2c3b803d9e3ee80c681"', '"154640e7af'],
    ['154640e7afaeb2c3b803d9e3ee80c681', '154640e7afae'],
    ['"name" : "flexibleRollout", "other" : 1', ',"other",'],
    ['default-name-default-4711-default', ' 4711 '],
  ])('%s → %s, because every event has the rest', async (literal, part) => {
    const found = await findIn(SAMPLE)(literal, 'data');
    expect(literal).toContain(found);
    expect(found).toContain(part.slice(1, -1));
    expect(found?.length).toBeLessThanOrEqual(16);
  });

  test.each([
    ['group-42', 'a sampled event has it'],
    ['GROUP-42', 'a sampled event has it, in other case'],
    ['kiwi', 'none of it is frequent'],
    ['default-flexibleRollout-"default', 'all of its words are frequent, and only what is between them is rare'],
    ['"stickiness" : "default ?', 'its rare part has no three letters in a row'],
    ['"groupId" : "kiwi-77-kiwi-İstanbul"', 'İ is two characters in lower case'],
    ['"groupId" : "kiwi-77-ΣΣΣΣΣΣ"', 'the lower case of a sigma depends on its place in a word'],
    ['"groupId" : "kiwi-77-kiwi-77🏁kiwi"', 'a part could end within a surrogate pair'],
    ['ab', 'it is shorter than a trigram'],
    ['', 'it is empty'],
  ])('%s → the whole literal, because %s', async (literal) => {
    expect(await findIn(SAMPLE)(literal, 'data')).toBeNull();
  });

  test('any literal → a part of it, or the whole literal', async () => {
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

  test('a sample of a few texts → the whole literal, because it says little about the log', async () => {
    expect(await findIn(SAMPLE.slice(0, 10))('"groupId" : "group-4711"', 'data')).toBeNull();
  });

  test('a long literal → a part of its beginning, or the whole literal', async () => {
    const find = findIn(SAMPLE);
    const literal = '"stickiness" : "default", '.repeat(4000);
    expect(await find(`${literal}kiwi`, 'data')).toBeNull();
    expect(await find(`kiwi-4711 ${literal}`, 'data')).toContain('kiwi-4711');
  });

  test('the sample cannot be read → the next search reads it', async () => {
    let isUnavailable = true;
    const { find } = createSelectiveParts(async () => {
      if (isUnavailable) throw new Error('unavailable');
      return { data: SAMPLE, preData: [], tags: [], isIndexed: true };
    });
    await expect(find('"groupId" : "group-4711"', 'data')).rejects.toThrow('unavailable');
    isUnavailable = false;
    expect(await find('"groupId" : "group-4711"', 'data')).toMatch(/-4711/);
  });
});

describe('the share of the events that a search reads', () => {
  const shareOf = (literal: string, isIndexed = true, data: readonly string[] = SAMPLE) =>
    createSelectiveParts(async () => ({ data, preData: [], tags: [], isIndexed })).estimateShare(literal, 'data');

  test.each([
    ['flexibleRollout', 1],
    ['group-4', 12 / 101],
    ['kiwi', 1 / 101],
    ['"groupId" : "kiwi"', 1 / 101],
    ['default-flexibleRollout-default', 1],
    // A dot that is no letter separates words, as a hyphen does.
    ['default·flexibleRollout·default', 1],
  ])('%s → %d, as in the sample', async (literal, share) => {
    expect(await shareOf(literal)).toBeCloseTo(share);
  });

  test('a text without three letters or digits in a row, no index, or hardly any events → all', async () => {
    expect(await shareOf('ki')).toBe(1);
    expect(await shareOf('": "')).toBe(1);
    expect(await shareOf('kiwi', false)).toBe(1);
    expect(await shareOf('kiwi', true, SAMPLE.slice(0, 10))).toBe(1);
  });
});
