import { describe, expect, test } from '@jest/globals';
import { findChanges } from '../../../src/events/changes/find-changes.js';

/** Returns the changes as text: the kind, the path, the pointer, and the values. */
const changesOf = (preData: string, data: string) =>
  findChanges(preData, data).items.map(
    ({ kind, path, pointer, before, after }) =>
      `${kind} ${path.join('.')} ${pointer} ${before?.text ?? '-'} ${after?.text ?? '-'}`,
  );

describe('objects', () => {
  test.each([
    ['a new key', '{"a":1}', '{"a":1,"b":{"c":[1]}}', ['ADDED b /b - {"c":[1]}']],
    ['a key that is gone', '{"a":1,"b":null}', '{"a":1}', ['REMOVED b /b null -']],
    ['another value', '{"a":{"b":false}}', '{"a":{"b":true}}', ['CHANGED a.b /a/b false true']],
    [
      'false and 0 → values',
      '{"a":false,"b":0}',
      '{"b":false,"c":0}',
      ['REMOVED a /a false -', 'CHANGED b /b 0 false', 'ADDED c /c - 0'],
    ],
    ['null is a value', '{"a":null}', '{"a":0,"b":null}', ['CHANGED a /a null 0', 'ADDED b /b - null']],
    ['another kind of value', '{"a":[1]}', '{"a":{"0":1}}', ['CHANGED a /a [1] {"0":1}']],
    ['another order of keys, other spaces', '{"a": 1, "b": [ ]}', ' {"b":[],"a":1}\n', []],
    ['other escapes', String.raw`{"a":"\u00e9","\u0062":1}`, '{"a":"é","b":1}', []],
    ['a repeated key → the last value', '{"a":1,"a":2}', '{"a":2}', []],
    [
      'keys named like properties of every object',
      '{"__proto__":1}',
      '{"__proto__":2,"constructor":1}',
      ['CHANGED __proto__ /__proto__ 1 2', 'ADDED constructor /constructor - 1'],
    ],
    ['keys with signs of pointers', '{}', '{"a/b":1,"~":2,"":3}', ['ADDED a/b /a~1b - 1', 'ADDED ~ /~0 - 2', 'ADDED  / - 3']],
    ['the whole document', '"on"', '["off"]', ['CHANGED   "on" ["off"]']],
    [
      'removed first, then in the order of data',
      '{"x":1,"a":1,"y":1}',
      '{"c":1,"a":2,"b":1}',
      ['REMOVED x /x 1 -', 'REMOVED y /y 1 -', 'ADDED c /c - 1', 'CHANGED a /a 1 2', 'ADDED b /b - 1'],
    ],
  ])('%s', (_, preData, data, expected) => {
    expect(changesOf(preData, data)).toEqual(expected);
  });
});

describe('numbers', () => {
  test.each([
    ['1', '1.0'],
    ['100', '1E+2'],
    ['0.001', '10e-4'],
    ['-0', '0.000e7'],
    ['1e999999999', '10e999999998'],
    ['1e99999999999999999999', '0.1e100000000000000000000'],
    ['12345678901234567890.10', '12345678901234567890.1'],
  ])('%s and %s → equal', (before, after) => {
    expect(changesOf(`{"n":${before}}`, `{"n":${after}}`)).toEqual([]);
  });

  test.each([
    ['9007199254740992', '9007199254740993'],
    ['0.1', '0.1000000000000000055'],
    ['1e400', '1e401'],
    ['1', '-1'],
    ['1', '"1"'],
    ['12345678901234567890.10', '12345678901234567890.20'],
  ])('%s and %s → different, with all digits', (before, after) => {
    expect(changesOf(`{"n":${before}}`, `{"n":${after}}`)).toEqual([`CHANGED n /n ${before} ${after}`]);
  });
});

describe('lists', () => {
  test.each([
    [
      'objects by id',
      '[{"id":1,"a":1},{"id":2,"a":2}]',
      '[{"id":2,"a":3}]',
      ['REMOVED 1 /0 {"id":1,"a":1} -', 'CHANGED 2.a /0/a 2 3'],
    ],
    ['ids by decimal value', '[{"id":1.0,"a":1}]', '[{"a":1,"id":1}]', []],
    ['the id 1 is not the id "1"', '[{"id":1}]', '[{"id":"1"}]', ['REMOVED 1 /0 {"id":1} -', 'ADDED 1 /0 - {"id":"1"}']],
    [
      'by name without ids',
      '[{"name":"a","w":1}]',
      '[{"name":"b","w":1},{"name":"a","w":2}]',
      ['ADDED b /0 - {"name":"b","w":1}', 'CHANGED a.w /1/w 1 2'],
    ],
    ['by name if one id is missing', '[{"id":1,"name":"a"}]', '[{"name":"a"}]', ['REMOVED a.id /0/id 1 -']],
    [
      'by name if an id is repeated',
      '[{"id":1,"name":"a"},{"id":1,"name":"b"}]',
      '[{"id":1,"name":"b"}]',
      ['REMOVED a /0 {"id":1,"name":"a"} -'],
    ],
    [
      'by contextName and operator',
      '[{"contextName":"c","operator":"IN","values":["a"]}]',
      '[{"contextName":"c","operator":"NOT_IN"},{"contextName":"c","operator":"IN","values":["b","a"]}]',
      ['ADDED c NOT_IN /0 - {"contextName":"c","operator":"NOT_IN"}', 'ADDED c IN.values.b /1/values/0 - "b"'],
    ],
    [
      'by value',
      '[{"value":"a"},{"value":"b"}]',
      '[{"value":"b","color":"red"}]',
      ['REMOVED a /0 {"value":"a"} -', 'ADDED b.color /0/color - "red"'],
    ],
    ['by position', '[{"a":1},{"a":2}]', '[{"a":2},{"a":2},{"a":3}]', ['CHANGED 0.a /0/a 1 2', 'ADDED 2 /2 - {"a":3}']],
    ['an id that is null or an object → by position', '[{"id":null},{"id":{}}]', '[{"id":null}]', ['REMOVED 1 /1 {"id":{}} -']],
    [
      'an id that is null → by name',
      '[{"id":null,"name":"a"}]',
      '[{"id":null,"name":"b"}]',
      ['REMOVED a /0 {"id":null,"name":"a"} -', 'ADDED b /0 - {"id":null,"name":"b"}'],
    ],
    [
      'pairs of contextName and operator with the same text together',
      String.raw`[{"contextName":"a\"b","operator":"c"},{"contextName":"a","operator":"b\"c"}]`,
      String.raw`[{"contextName":"a","operator":"b\"c"}]`,
      [String.raw`REMOVED a"b c /0 {"contextName":"a\"b","operator":"c"} -`],
    ],
    ['lists in lists → by position', '[[1],[2]]', '[[2]]', ['REMOVED 1 /1 [2] -', 'REMOVED 0.1 /0/0 1 -', 'ADDED 0.2 /0/0 - 2']],
    ['different scalars → a set', '["a","b",1]', '[true,"b","a"]', ['REMOVED 1 /2 1 -', 'ADDED true /0 - true']],
    ['repeated scalars → by position', '["a","a"]', '["b","a","a"]', ['CHANGED 0 /0 "a" "b"', 'ADDED 2 /2 - "a"']],
    ['1 and 1.0 → repeated', '[1,1.0,2]', '[1,2]', ['REMOVED 2 /2 2 -', 'CHANGED 1 /1 1.0 2']],
    ['a list that was empty', '[]', '[{"id":7}]', ['ADDED 7 /0 - {"id":7}']],
    ['scalars and objects → by position', '["a",{"id":1}]', '["a",{"id":2}]', ['CHANGED 1.id /1/id 1 2']],
  ])('%s', (_, preData, data, expected) => {
    expect(changesOf(preData, data)).toEqual(expected);
  });

  test.each([
    ['one element to the front', '[1,2,3,4]', '[4,1,2,3]', ['MOVED 4 /0 3 0']],
    ['two elements swapped', '[1,2]', '[2,1]', ['MOVED 2 /0 1 0']],
    ['elements after a removed one → not moved', '[1,2,3]', '[2,3]', ['REMOVED 1 /0 {"id":1} -']],
    ['elements after an added one → not moved', '[1,2]', '[3,1,2]', ['ADDED 3 /0 - {"id":3}']],
    [
      'moved past a removed and an added one',
      '[1,2,3]',
      '[3,4,2]',
      ['REMOVED 1 /0 {"id":1} -', 'MOVED 3 /0 2 0', 'ADDED 4 /1 - {"id":4}'],
    ],
  ])('order of objects: %s', (_, before, after, expected) => {
    const toObjects = (ids: string) => JSON.stringify((JSON.parse(ids) as number[]).map((id) => ({ id })));
    expect(changesOf(toObjects(before), toObjects(after))).toEqual(expected);
  });

  test('an element that moved and changed → an item for each', () => {
    expect(changesOf('[{"id":1,"a":1},{"id":2},{"id":3}]', '[{"id":2},{"id":3},{"id":1,"a":2}]')).toEqual([
      'MOVED 1 /2 0 2',
      'CHANGED 1.a /2/a 1 2',
    ]);
  });
});
