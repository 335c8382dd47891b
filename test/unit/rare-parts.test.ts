import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createRareParts } from '../../src/events/rare-parts.js';

const SAMPLE = Array.from(
  { length: 100 },
  (_, n) => `{"name" : "flexibleRollout", "groupId" : "group-${n}", "stickiness" : "default"}`,
);
const findIn = (data: readonly string[]) => createRareParts(async () => ({ data, preData: [], tags: [] })).find;

describe('the part of a literal that is looked up', () => {
  test.each([
    ['"groupId" : "group-4711"', 'p-4711"'],
    ['"GROUPID" : "GROUP-4711"', 'P-4711"'],
    ['"groupId" : "kiwi", "stickiness" : "default"', '"kiwi",'],
    ['"stickiness" : "154640e7afaeb2c3b803d9e3ee80c681"', '"154640e7afaeb2c'],
    ['154640e7afaeb2c3b803d9e3ee80c681', '154640e7afaeb2c3'],
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
    ['"groupId" : "İstanbul"', 'it has another length in lower case'],
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
        expect(literal).toContain((await find(literal, 'data')) ?? literal);
      }),
    );
  });

  test('a sample that could not be read → the next search reads one', async () => {
    let isAway = true;
    const { find } = createRareParts(async () => {
      if (isAway) throw new Error('away');
      return { data: SAMPLE, preData: [], tags: [] };
    });
    await expect(find('"groupId" : "group-4711"', 'data')).rejects.toThrow('away');
    isAway = false;
    expect(await find('"groupId" : "group-4711"', 'data')).toMatch(/-4711/);
  });
});
