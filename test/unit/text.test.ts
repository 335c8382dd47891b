import { describe, expect, test } from '@jest/globals';
import { cutText, isLongerThan, isStorableText, TEXT_RULE, toPrintable } from '../../src/formats/text.js';

/** A character of two UTF-16 units. */
const EMOJI = '😀';

describe('isLongerThan', () => {
  test.each([
    ['aaa', 3, false],
    ['aaaa', 3, true],
    [EMOJI.repeat(3), 3, false],
    [`${EMOJI.repeat(3)}a`, 3, true],
    [EMOJI.repeat(4), 3, true],
    ['aaaaaaaaaa', 3, true],
    ['', 0, false],
  ])('%j, %d → %s', (text, characters, isLonger) => {
    expect(isLongerThan(text, characters)).toBe(isLonger);
  });

  test('a text of more than twice as many units → longer without being taken apart', () => {
    const text = { length: 9 } as string;
    expect(isLongerThan(text, 4)).toBe(true);
  });
});

describe('cutText', () => {
  test.each([
    ['abcd', 4, 'abcd'],
    ['abcde', 4, 'abc…'],
    [`ab${EMOJI}d`, 4, 'ab…'],
    [`a${EMOJI}de`, 4, `a${EMOJI}…`],
    // The character stands for text that could not be decoded, and is kept except at the end.
    ['a\uFFFDcde', 4, 'a\uFFFDc…'],
  ])('%j, %d → %j', (text, length, cut) => {
    expect(cutText(text, length)).toBe(cut);
  });
});

test('toPrintable → control characters are blanks, except for line breaks and tabs', () => {
  expect(toPrintable('a\u0000b\u001b[2J\u009bc\td\ne\r')).toBe('a b [2J c\td\ne ');
});

describe('isStorableText', () => {
  test.each([
    ['text', true],
    ['', true],
    [EMOJI, true],
    ['a\0', false],
    ['\ud83d', false],
    ['\ude00\ud83d', false],
  ])('%j → %s', (text, isStorable) => {
    expect(isStorableText(text)).toBe(isStorable);
  });

  test('its rule in words', () => {
    expect(TEXT_RULE).toBe('must not contain the NUL character or half of a surrogate pair');
  });
});
