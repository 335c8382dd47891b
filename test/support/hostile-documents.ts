const many = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ');

/** Requests that ask for too much, in few bytes or in many. A gateway must reject them at little cost. */
export const HOSTILE_REQUESTS: Readonly<Record<string, string>> = {
  'ten thousand aliases': toBody(`{ events { nodes { ${many(10_000, (n) => `a${n}:id`)} } } }`),
  'ten thousand times the same field': toBody(`{ events { nodes { ${many(10_000, () => 'id')} } } }`),
  'ten thousand directives': toBody(`{ __typename ${many(10_000, () => '@a')} }`),
  'a depth of two hundred': toBody(`{ events { nodes { ${'tags { '.repeat(198)} type ${'}'.repeat(198)} } } }`),
  'fragments that spread each other': toBody('{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }'),
  'a fragment bomb': toBody(
    `{ ...F0 } ${many(30, (n) => `fragment F${n} on Query { ${n === 29 ? '__typename' : many(10, () => `...F${n + 1}`)} }`)}`,
  ),
  'five thousand variables': toBody(`query (${many(5_000, (n) => `$v${n}: Int`)}) { __typename }`),
  'deep introspection': toBody(`{ __schema { types { ${'fields { type { '.repeat(20)} name ${'} }'.repeat(20)} } } }`),
  'lists of lists through connections': toBody(
    `{ ${many(10, (n) => `a${n}: events(first: 1000) { edges { node { id tags { type } } } nodes { id tags { type } } }`)} }`,
  ),
  'two hundred root fields': toBody(`{ ${many(200, (n) => `a${n}: events { totalCount }`)} }`),
  'six hundred aliases of data': toBody(`{ events(first: 1000) { nodes { ${many(600, (n) => `a${n}:data`)} } } }`),
  'forty thousand escaped quotes in a string that does not end': toBody(`"${'\\\\"'.repeat(33_000)}`),
  'a body of five megabytes': toBody(`{ __typename } # ${'x'.repeat(5_000_000)}`),
  'a batch of a thousand': JSON.stringify(Array.from({ length: 1_000 }, () => ({ query: '{ __typename }' }))),
};

function toBody(query: string): string {
  return JSON.stringify({ query });
}
