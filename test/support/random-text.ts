import fc from 'fast-check';

/** Texts that are hard for parsers, databases and encoders. None of them contains a text that responses must not contain. */
const oddTexts = [
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '\n',
    '\r\n',
    '\t',
    '\u2028',
    '\ufeff',
    '\ufffe',
    '\uffff',
    '\ud800',
    'x\udfff',
    '\udebc\uddb6',
    '🎉',
    'ÅÅ',
    '١٢',
    '‮abc',
  ],
  ...[
    '%',
    '%%',
    '%00',
    '%u0041',
    '\\',
    '\\u0000',
    '"',
    "'",
    '`',
    '$1',
    ':x',
    '?',
    "'; drop table events; --",
    "' or 1=1 --",
    '{',
    '}',
    '[]',
    '{}',
  ],
  ...[
    'null',
    'undefined',
    'true',
    'NaN',
    '-0',
    '1e999',
    '0x10',
    '2147483648',
    '-2147483649',
    '9007199254740993',
    '1'.repeat(400),
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '..',
    '../..',
    '/etc/passwd',
    '<script>',
    '${7*7}',
    '{{7*7}}',
    'a'.repeat(3000),
  ],
  ...[
    'checkout-v2',
    'odd,comma',
    'default',
    'feature-created',
    '2024-02-29',
    '2023-02-29',
    '2026-11-21T00:00:00Z',
    '+275760-09-13T00:00:00.000Z',
  ],
];

export const oddText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...oddTexts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  {
    weight: 1,
    arbitrary: fc.array(fc.integer({ min: 0xd7f0, max: 0xe00f }), { maxLength: 4 }).map((units) => String.fromCharCode(...units)),
  },
);

export const oddNumber = fc.oneof(
  fc.constantFrom(0, -0, 1, -1, 50, 1000, 1001, 2_147_483_647, 2_147_483_648, -2_147_483_648, 1e21, 1.5, 5e-324, 2 ** 53 + 2),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(null, true, false),
    oddText,
    oddNumber,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(oddText, tie('value'), { maxKeys: 4 }),
  ),
}));

/** Any JSON value. */
export const oddJson: fc.Arbitrary<unknown> = value;

/** Brackets so deep that recursive code overflows the stack, within the body limit. */
export const deepText = fc
  .tuple(
    fc.constantFrom(['[', ']'], ['{"a":', '}'], ['{a', '}'], ['(', ')'], ['[{a:', '}]']),
    fc.constantFrom(10, 200, 3000, 15_000),
    fc.boolean(),
  )
  .map(([[open, close], depth, isClosed]) => (open as string).repeat(depth) + (isClosed ? (close as string).repeat(depth) : ''));

/** Returns the text as it is after UTF-8 encoding, which has no lone surrogates. */
export const throughUtf8 = (text: string): string => Buffer.from(text).toString();

/** Texts that look like JSON. Many of them are invalid. */
export const jsonLike: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: oddJson.map((json) => JSON.stringify(json)) },
  {
    weight: 2,
    arbitrary: fc.tuple(oddJson, fc.nat({ max: 30 })).map(([json, cut]) => JSON.stringify(json).slice(0, -cut || undefined)),
  },
  { weight: 2, arbitrary: oddText },
  { weight: 1, arbitrary: deepText },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '{"a":1,"a":2}',
      '{"__proto__":{"x":1}}',
      '{"constructor":{"prototype":1}}',
      '\ufeff{}',
      '{}{}',
      '"\\ud800"',
      '//',
    ),
  },
);
