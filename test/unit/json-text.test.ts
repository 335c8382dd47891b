import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { JsonList } from '../../src/formats/json-text.js';

test('any list → its JSON and its items, before and after it is compact', () => {
  fc.assert(
    fc.property(fc.array(fc.json()), (items) => {
      const list = new JsonList(items);
      const expected = { text: `[${items.join(',')}]`, items, length: items.length };
      const seen = () => ({ text: list.text, items: list.toItems(), length: list.length });
      expect(seen()).toEqual(expected);
      list.compact();
      expect(seen()).toEqual(expected);
      list.compact();
      expect(seen()).toEqual(expected);
    }),
  );
});
