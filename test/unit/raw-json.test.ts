import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findRawElements, findRawValues, isNestedDeeper } from '../../src/formats/raw-json.js';
import { isJson } from '../support/is-json.js';
import { recordedLines } from '../support/recorded-log.js';

/** Characters that could be taken for the end of a string, of a value or of the object. */
const confusingText = fc.string({
  unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', ' ', '\n', 'a', 'é', '🎉', '\ud800'),
});
const text = fc.oneof(confusingText, fc.string({ unit: 'binary' }));
const json = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, fc.jsonValue(), text, fc.array(tie('value')), fc.dictionary(text, tie('value'))),
})).value;
const blank = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 3 });

/** The members of an object. The test writes them as text, so that it knows the raw text of each value. */
const members = fc.array(
  fc.record({ key: text, value: json, indent: fc.nat({ max: 2 }), blanks: fc.tuple(blank, blank, blank, blank) }),
);

const readRawValues = (object: string): Map<string, string> =>
  new Map((findRawValues(object) ?? []).map(({ key, start, end }) => [key, object.slice(start, end)]));

describe('reading the raw values of a JSON object', () => {
  test('any object → each raw value parses to the value in the parsed object', () => {
    fc.assert(
      fc.property(fc.dictionary(text, json), fc.nat({ max: 4 }), (object, indent) => {
        const whole = JSON.stringify(object, null, indent);
        const values = [...readRawValues(whole)].map(([key, raw]) => [key, JSON.parse(raw) as unknown]);

        expect(values).toEqual(Object.entries(JSON.parse(whole) as object));
      }),
    );
  });

  test('any spacing → the exact text of each value; a repeated key → its last value', () => {
    fc.assert(
      fc.property(members, blank, (written, end) => {
        const raw = new Map(written.map(({ key, value, indent }) => [key, JSON.stringify(value, null, indent)]));
        const body = written.map(
          ({ key, value, indent, blanks: [a, b, c, d] }) =>
            `${a}${JSON.stringify(key)}${b}:${c}${JSON.stringify(value, null, indent)}${d}`,
        );

        expect(readRawValues(`${end}{${end}${body.join(',')}${end}}${end}`)).toEqual(raw);
      }),
    );
  });

  test.each([
    ['long numbers', '{"a":12345678901234567890.10,"b":1E+2}', { a: '12345678901234567890.10', b: '1E+2' }],
    ['a key repeated within a value', '{"a":{"x":1,"x":2}}', { a: '{"x":1,"x":2}' }],
    ['unnecessary escapes', String.raw`{"\u0061":"\u00e9\/"}`, { a: String.raw`"\u00e9\/"` }],
    ['a key named like a property of every object', '{"__proto__":1}', { ['__proto__']: '1' }],
    ['an empty object', '{ }', {}],
  ])('%s → exact texts', (_, object, values) => {
    expect([...readRawValues(object)]).toEqual(Object.entries(values));
  });

  test.each(['{"a":1', '{"a', '{"a"', '{"a":', '{"a":"1', '{"a":{"b":1}', '{"a":1,"b', String.raw`{"a":"\"}`])(
    '%s, which ends within a value → null',
    (text) => {
      expect(findRawValues(text)).toBeNull();
    },
  );

  const token = fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', ' ', '1', 'null', '"a":', '"b"', '"a":{"c":1}');
  test('any text → a range that null can replace holds the value of its key', () => {
    fc.assert(
      fc.property(fc.array(token, { maxLength: 14 }), (tokens) => {
        const text = `{${tokens.join('')}`;
        for (const { key, start, end } of findRawValues(text) ?? []) {
          const raw = text.slice(start, end);
          if (!isJson(`${text.slice(0, start)}null${text.slice(end)}`) || !isJson(raw)) continue;
          expect(isJson(text)).toBe(true);
          expect(JSON.parse(`${text.slice(0, start)}"x"${text.slice(end)}`)).toHaveProperty([key]);
        }
      }),
      { numRuns: 20_000 },
    );
  });

  test('every recorded line → the parsed values are those of the line', () => {
    for (const line of recordedLines) {
      expect([...readRawValues(line)].map(([key, raw]) => [key, JSON.parse(raw)])).toEqual(
        Object.entries(JSON.parse(line) as object),
      );
    }
  });
});

describe('reading the raw elements of a JSON array', () => {
  test('any array → the exact text of each element', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ value: json, blanks: fc.tuple(blank, blank) })), blank, (written, end) => {
        const elements = written.map(({ value }) => JSON.stringify(value, null, 1));
        const body = written.map(({ blanks: [a, b] }, index) => `${a}${elements[index]}${b}`);

        expect(findRawElements(`${end}[${end}${body.join(',')}]${end}`)).toEqual(elements);
      }),
    );
  });

  test.each(['', ' ', '{}', '1', '[', '[1', '[1,', '[{"a":1}', '["', '[[1]'])('%s → null', (text) => {
    expect(findRawElements(text)).toBeNull();
  });
});

describe('the nesting of JSON', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

  test('any JSON → nested deeper than each number below its depth', () => {
    fc.assert(
      fc.property(json, fc.nat({ max: 2 }), (value, indent) => {
        const whole = JSON.stringify(value, null, indent);
        for (const levels of [0, 1, 2, 3, 10]) expect(isNestedDeeper(whole, levels)).toBe(depthOf(value) > levels);
      }),
    );
  });
});
