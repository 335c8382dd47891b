/**
 * Two states of an event that take long to compare.
 * @typedef {object} ChangeCase
 * @property {string} name
 * @property {boolean} isHostile whether such states would be stored only to keep the gateway busy
 * @property {string} preData as PostgreSQL writes the text of `jsonb`
 * @property {string} data
 */

/** Longer texts are not compared (src/events/changes/find-changes.ts). */
const MAX_CHARACTERS = 1024 * 1024;
/** Elements of longer lists are not matched. */
const MAX_LIST = 2_000;
/** Values below this depth are not compared. */
const MAX_DEPTH = 32;
/** PostgreSQL takes no deeper `jsonb` with its default settings. */
const STORED_DEPTH = 5_000;

/** @type {(length: number) => number[]} */
const range = (length) => Array.from({ length }, (_, index) => index);

/** Shuffles a list, the same way each time. 739 and 2,000 are coprime, so no element is lost. @type {<T>(list: T[]) => T[]} */
const mixed = (list) => list.map((_, index) => /** @type {any} */ (list[(index * 739) % list.length]));

/** @type {(id: number) => object} */
const small = (id) => ({ id, list: [{ id }], name: `n${id}` });

/** A strategy of some 450 characters. @type {(id: number) => object} */
const strategy = (id) => ({
  id,
  name: 'flexibleRollout',
  title: `Rollout ${id}`,
  disabled: id % 2 === 0,
  parameters: { groupId: `group-${id}`, rollout: String(id % 100), stickiness: 'default' },
  constraints: [{ values: range(6).map((n) => `customer-${id}-${n}`.padEnd(30, '0')), operator: 'IN', contextName: 'userId' }],
});

/**
 * Writes a value as `jsonb` does: with a blank after each comma and colon. The cases have the order of keys of `jsonb`.
 * @type {(value: unknown) => string}
 */
const toText = (value) => {
  if (Array.isArray(value)) return `[${value.map(toText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, each]) => `${JSON.stringify(key)}: ${toText(each)}`)
    .join(', ')}}`;
};

/** Returns the longest text that is compared. @type {(write: (size: number) => string) => string} */
function longest(write) {
  let [fits, tooLong] = [0, 1];
  for (; write(tooLong).length <= MAX_CHARACTERS; tooLong *= 2) fits = tooLong;
  while (tooLong - fits > 1) {
    const size = Math.floor((fits + tooLong) / 2);
    if (write(size).length <= MAX_CHARACTERS) fits = size;
    else tooLong = size;
  }
  return write(fits);
}

/** @type {(write: (size: number, isAfter: boolean) => string) => {preData: string, data: string}} */
const bothLongest = (write) => ({
  preData: longest((size) => write(size, false)),
  data: longest((size) => write(size, true)),
});

/** @type {(levels: number, text: string) => string} */
const nested = (levels, text) => `${'{"a": '.repeat(levels)}${text}${'}'.repeat(levels)}`;

/** @type {(size: number, isAfter: boolean, value?: number) => string} */
const keys = (size, isAfter, value = 1) =>
  `{${range(size)
    .map((index) => `"${String(index).padStart(6, '0')}": ${isAfter && index === size - 1 ? value + 1 : value}`)
    .join(', ')}}`;

/** @type {(list: object[], reorder: (list: object[]) => object[]) => {preData: string, data: string}} */
const reordered = (list, reorder) => ({ preData: toText(list), data: toText(reorder(list)) });

/** @returns {ChangeCase[]} */
export function createChangeCases() {
  const smalls = range(MAX_LIST).map(small);
  const strategies = range(MAX_LIST).map(strategy);
  const reversed = (/** @type {object[]} */ list) => list.toReversed();
  const lists = (/** @type {number} */ size, /** @type {boolean} */ isAfter) => {
    const list = toText(isAfter ? mixed(range(MAX_LIST)).map((id) => ({ id })) : range(MAX_LIST).map((id) => ({ id })));
    return `{${range(size)
      .map((index) => `"${String(index).padStart(4, '0')}": ${list}`)
      .join(', ')}}`;
  };
  return [
    { name: '2,000 small objects, mixed', isHostile: false, ...reordered(smalls, mixed) },
    { name: '2,000 small objects, reversed', isHostile: false, ...reordered(smalls, reversed) },
    { name: '2,000 strategies of 450 characters, mixed', isHostile: false, ...reordered(strategies, mixed) },
    ...hostileCases({ smalls, lists }),
  ].map(checkLength);
}

/** @type {(of: {smalls: object[], lists: (size: number, isAfter: boolean) => string}) => ChangeCase[]} */
function hostileCases({ smalls, lists }) {
  /** @type {[string, {preData: string, data: string}][]} */
  const cases = [
    ['many lists of 2,000 mixed objects', bothLongest(lists)],
    [
      'one member with a million characters differs',
      bothLongest((size, isAfter) => `{"a": "${'x'.repeat(size)}${isAfter ? 'y' : 'z'}"}`),
    ],
    ['many keys, the last value differs', bothLongest((size, isAfter) => keys(size, isAfter))],
    ['many keys below 31 levels', bothLongest((size, isAfter) => nested(MAX_DEPTH - 1, keys(size, isAfter)))],
    ['the same keys, all values differ', bothLongest((size, isAfter) => keys(size, false, isAfter ? 2 : 1))],
    [
      '2,000 objects with one id',
      {
        preData: toText(smalls.map((each) => ({ ...each, id: 1, name: '' }))),
        data: toText(smalls.map((each) => ({ ...each, id: 2, name: '' }))),
      },
    ],
    ['a long list of numbers', bothLongest((size, isAfter) => `[${'1, '.repeat(size)}${isAfter ? 2 : 1}]`)],
    [
      'lists of 500 numbers, reversed',
      bothLongest(
        (size, isAfter) =>
          `[${range(size)
            .map(() => toText(isAfter ? range(500).reverse() : range(500)))
            .join(', ')}]`,
      ),
    ],
    ['many escaped quotes', bothLongest((size, isAfter) => `{"a": "${String.raw`\"`.repeat(size)}${isAfter ? 'b' : ''}"}`)],
    [
      'nested deeper than 32 levels',
      bothLongest(
        (size, isAfter) =>
          `[${range(size)
            .map(() => nested(STORED_DEPTH, isAfter ? '2' : '1'))
            .join(', ')}]`,
      ),
    ],
    [
      'a long key above 200 changes',
      bothLongest((size, isAfter) => `{"${'k'.repeat(size)}": ${keys(300, false, isAfter ? 2 : 1)}}`),
    ],
    [
      'numbers with many digits',
      bothLongest(
        (size, isAfter) =>
          `[${range(size)
            .map((index) => `${'9'.repeat(900)}${isAfter ? index + 1 : index}`)
            .join(', ')}]`,
      ),
    ],
  ];
  return cases.map(([name, states]) => ({ name, isHostile: true, ...states }));
}

/** A text beyond the limit would not be compared, so it would measure nothing. @type {(one: ChangeCase) => ChangeCase} */
function checkLength(one) {
  if (one.preData.length > MAX_CHARACTERS || one.data.length > MAX_CHARACTERS)
    throw new Error(`${one.name}: the texts are too long.`);
  return one;
}
