import fc from 'fast-check';

/** Numbers of few different values, written in many ways. */
const number = fc.constantFrom(
  ...['0', '-0', '0.0', '0e5', '1', '1.0', '10e-1', '0.1e1', '1E+0', '-1', '2', '20', '2e1', '2e0001'],
  ...[
    '12345678901234567890',
    '12345678901234567891',
    '1234567890123456789.10e1',
    '0.1',
    '0.10000000000000000001',
    '1e999',
    '1e400',
  ],
);
const text = fc.constantFrom(
  '"a"',
  '"b"',
  String.raw`"\u0061"`,
  '"1"',
  '""',
  String.raw`"\""`,
  '"é"',
  String.raw`"\ud800"`,
  '"null"',
);
const scalar = fc.oneof(number, text, fc.constantFrom('true', 'false', 'null'));
const blank = fc.constantFrom('', '', '', ' ', '\n', ' \t\r\n');
const key = fc.constantFrom(
  ...['a', 'b', 'id', 'name', 'contextName', 'operator', 'value', 'values', '__proto__', 'constructor', '', '/', '~1', '0', '1'],
);

const joined = (open: string, items: readonly string[], close: string) => `${open}${items.join(',')}${close}`;
const objectOf = (value: fc.Arbitrary<string>, maxLength: number) =>
  // A key may be repeated.
  fc.array(fc.tuple(key, value, blank, blank), { maxLength }).map((members) =>
    joined(
      '{',
      members.map(([name, member, a, b]) => `${a}${JSON.stringify(name)}${b}:${a}${member}${b}`),
      '}',
    ),
  );
const listOf = (value: fc.Arbitrary<string>, maxLength: number) =>
  fc.array(fc.tuple(value, blank), { maxLength }).map((items) =>
    joined(
      '[',
      items.map(([item, a]) => `${a}${item}${a}`),
      ']',
    ),
  );

/** Objects that can be told apart in a list, mostly. */
const identified = (value: fc.Arbitrary<string>) =>
  fc
    .tuple(
      fc.constantFrom(['id'], ['name'], ['contextName', 'operator'], ['value'], ['id', 'name']),
      fc.array(fc.constantFrom('1', '2', '3', '"1"', '"b"', '1.0'), { minLength: 2, maxLength: 2 }),
      value,
    )
    .map(([names, values, member]) =>
      joined('{', [...names.map((name, index) => `"${name}":${values[index]}`), `"a":${member}`], '}'),
    );

const { document } = fc.letrec<{ document: string }>((tie) => ({
  document: fc.oneof(
    { maxDepth: 4 },
    scalar,
    listOf(scalar, 5),
    objectOf(tie('document'), 6),
    listOf(tie('document'), 4),
    listOf(identified(tie('document')), 6),
  ),
}));

/** Lists of the same objects in another order, with some of them left out and some changed. */
const reordered = fc.array(identified(document), { maxLength: 8 }).chain((elements) => {
  const state = fc
    .shuffledSubarray(elements.length === 0 ? ['{}'] : elements)
    .chain((kept) => fc.tuple(fc.constant(kept), fc.array(identified(document), { maxLength: 2 })))
    .map(([kept, more]) => joined('[', [...kept, ...more], ']'));
  return fc.tuple(state, state);
});

/** Two states of an event as JSON texts. Few different keys and values make them alike. */
export const randomStates: fc.Arbitrary<readonly [string, string]> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(document, document) },
  { weight: 3, arbitrary: reordered },
  { weight: 1, arbitrary: fc.tuple(listOf(scalar, 8), listOf(scalar, 8)) },
  { weight: 1, arbitrary: fc.tuple(fc.json(), fc.json()) },
);

export const randomNumber = fc.oneof(
  number,
  fc
    .tuple(
      fc.constantFrom('', '-'),
      fc.bigInt({ min: 0n, max: 10n ** 30n }),
      fc.stringMatching(/^(\.[0-9]{1,25})?$/),
      fc.stringMatching(/^([eE][+-]?(0{0,3}[0-9]{1,2}|[0-9]{14,18}))?$/),
    )
    .map((parts) => parts.join('')),
);
