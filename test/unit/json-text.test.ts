import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toBody } from '../../src/formats/json-body.js';
import { JsonList, JsonText, stringToJson, toJson } from '../../src/formats/json-text.js';

test('any list → its JSON and its items, before and after it is compact', () => {
  fc.assert(
    fc.property(fc.array(fc.json()), (items) => {
      const list = new JsonList(items);
      const expected = { text: `[${items.join(',')}]`, items, length: items.length };
      const seen = () => ({ text: list.text, items: list.toItems(), length: list.length });
      expect(seen()).toEqual(expected);
      expect(new JsonList(items).takeParts().join('')).toBe(expected.text);
      list.compact();
      expect(list.takeParts()).toEqual([expected.text]);
      expect(seen()).toEqual(expected);
      list.compact();
      expect(seen()).toEqual(expected);
    }),
  );
});

const codeUnit = fc.oneof(
  fc.integer({ min: 0, max: 127 }),
  fc.constantFrom(0x2028, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000),
);
const anyString = fc.oneof(
  fc.array(codeUnit, { maxLength: 5 }).map((units) => String.fromCharCode(...units)),
  fc.string({ unit: 'binary' }),
  fc.integer({ min: 0, max: 150 }).map((length) => 'x'.repeat(length)),
);

test('any string → the same JSON as JSON.stringify, with escaped quotes, control characters and unpaired surrogates', () => {
  fc.assert(
    fc.property(anyString, (value) => expect(stringToJson(value)).toBe(JSON.stringify(value))),
    { numRuns: 1_000 },
  );
  for (let unit = 0; unit <= 0xffff; unit += 1) {
    const value = String.fromCharCode(unit);
    if (stringToJson(value) !== JSON.stringify(value)) throw new Error(`The JSON of U+${unit.toString(16)} differs.`);
  }
});

const text = fc.string({ unit: 'binary', maxLength: 20 }).map((part) => part.repeat(2_000));
const list = fc.tuple(fc.array(text, { maxLength: 5 }), fc.boolean()).map(([items, isCompact]) => {
  const found = new JsonList(items.map((item) => JSON.stringify(item)));
  if (isCompact) found.compact();
  return found;
});
const leaf = fc.oneof(
  fc.constant(undefined),
  fc.jsonValue(),
  text,
  text.map((value) => new JsonText(JSON.stringify(value))),
  list,
  fc.array(list, { maxLength: 2 }),
);
/** Values of a response: lists as JSON, compact or not, and everything else that `toJson` writes. */
const values = fc.dictionary(fc.string(), fc.oneof(leaf, fc.dictionary(fc.string(), leaf, { maxKeys: 3 })), { maxKeys: 5 });

test('any value → a body with the same bytes, in parts if it is long', () => {
  let longBodies = 0;
  fc.assert(
    fc.property(values, (value) => {
      // The body takes the items of the lists, so the text is written first.
      const json = toJson(value);
      const body = toBody(value);
      expect(Buffer.from(body as string).equals(Buffer.from(json))).toBe(true);
      expect(typeof body === 'string').toBe(json.length < 64 * 1024);
      if (typeof body !== 'string') longBodies += 1;
    }),
  );
  expect(longBodies).toBeGreaterThan(5);
});

test('a list whose body was written → reading it again throws an error', () => {
  const list = new JsonList(['1', '2']);
  expect(toBody({ list })).toBe('{"list":[1,2]}');
  expect(() => list.text).toThrow('already written');
  expect(() => list.toItems().join()).toThrow('already written');
});

test('a compact list whose body was written → it can be read again', () => {
  const list = new JsonList(['1', '2']);
  list.compact();
  expect(toBody({ list })).toBe('{"list":[1,2]}');
  expect(list.toItems()).toEqual(['1', '2']);
});

test('300,000 items → a body without a stack overflow', () => {
  const items = Array.from({ length: 300_000 }, (_, n) => String(n));
  expect(String(toBody({ items: new JsonList(items) }))).toBe(`{"items":[${items.join()}]}`);
});
