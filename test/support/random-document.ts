import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  getIntrospectionQuery,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { deepText, oddNumber, oddText, throughUtf8 } from './random-text.js';

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
const namedTypes: readonly GraphQLNamedType[] = Object.values(schema.getTypeMap());
const inputTypeNames = namedTypes.filter(isInputType).map(({ name }) => name);
const fieldNames = namedTypes.filter(isObjectType).flatMap((type) => Object.keys(type.getFields()));

const rarely = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>, weight = 12) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: odd });

const variable = fc.nat({ max: 3 }).map((index) => `$v${index}`);
/** A GraphQL string cannot contain half a surrogate pair. Variables cover those. */
const stringLiteral = oddText.map((text) => JSON.stringify(throughUtf8(text)));
const anyLiteral = fc.oneof(
  variable,
  stringLiteral,
  oddNumber.map(String),
  fc.constantFrom(
    'null',
    'true',
    'ENUM',
    '1e400',
    '-0',
    '00',
    '9'.repeat(500),
    '"""\n  block \\""" \n"""',
    '[[[[[[1]]]]]]',
    '{a:{b:[$v0]}}',
    '{}',
    '[]',
    '"\\uD800"',
    '"\\u{110000}"',
  ),
  deepText,
);

/** A literal of the type, sometimes of another type. */
function literalOf(type: GraphQLInputType): fc.Arbitrary<string> {
  if (isNonNullType(type)) return literalOf(type.ofType as GraphQLInputType);
  return rarely(wellTypedLiteral(type), anyLiteral, 200);
}

function wellTypedLiteral(type: GraphQLInputType): fc.Arbitrary<string> {
  if (isListType(type)) {
    return fc.array(literalOf(type.ofType as GraphQLInputType), { maxLength: 3 }).map((values) => `[${values.join(',')}]`);
  }
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).map((field) =>
      fc
        .option(literalOf(field.type), { nil: undefined, freq: isNonNullType(field.type) ? 20 : 2 })
        .map((value) => (value === undefined ? '' : `${field.name}:${value}`)),
    );
    return fc.tuple(...fields).map((parts) => `{${parts.filter(Boolean).join(' ')}}`);
  }
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ name }) => name));
  const scalars: Readonly<Record<string, fc.Arbitrary<string>>> = {
    Int: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constantFrom(0, 1, -1, 2_147_483_647, -2_147_483_648)).map(String),
    DateTimeISO: rarely(
      fc.constantFrom('"2030-01-01T00:00:00Z"', '"0001-01-01T00:00:00+00:00"', '"1999-12-31t23:59:59.9z"'),
      stringLiteral,
    ),
    LocalDate: fc.constantFrom('"2024-02-29"', '"2026-11-21"', '"0001-01-01"', '"9999-12-31"', '"0000-01-01"'),
  };
  return scalars[type.toString()] ?? stringLiteral;
}

const directive = rarely(
  fc.constant(''),
  fc.constantFrom(
    '@include(if:true)',
    '@skip(if:true)',
    '@skip(if:$v0)',
    '@include(if:null)',
    '@odd(a:1)',
    '@deprecated',
    '@include',
  ),
  40,
);
const oddAlias = fc.constantFrom('__proto__:', 'constructor:', 'toString:', 'a:');

function argumentsOf(field: GraphQLField<unknown, unknown>): fc.Arbitrary<string> {
  if (field.args.length === 0) return fc.constant('');
  const values = field.args.map(({ name, type }) =>
    fc
      .option(literalOf(type), { nil: undefined, freq: isNonNullType(type) ? 20 : 2 })
      .map((value) => (value === undefined ? '' : `${name}:${value}`)),
  );
  return fc.tuple(...values).map((given) => {
    const text = given.filter(Boolean).join(' ');
    return text === '' ? '' : `(${text})`;
  });
}

/** A field with an alias that is unique in its selection, so that fields do not conflict. Sometimes the alias is odd instead. */
function fieldOf(field: GraphQLField<unknown, unknown>): fc.Arbitrary<(uniqueAlias: string) => string> {
  return fc.tuple(rarely(fc.constant(null), oddAlias, 30), argumentsOf(field), directive, selectionOf(field.type)).map(
    ([alias, args, at, selection]) =>
      (uniqueAlias) =>
        `${alias ?? uniqueAlias}${field.name}${args}${at}${selection}`,
  );
}

const selections = new Map<string, fc.Arbitrary<string>>();

function selectionOf(output: GraphQLOutputType): fc.Arbitrary<string> {
  const type = getNamedType(output);
  if (!isObjectType(type)) return fc.constant('');
  const cached = selections.get(type.name);
  if (cached) return cached;
  const field = fc.oneof(...Object.values(type.getFields()).map(fieldOf));
  const other = fc
    .constantFrom('__typename', '...F', `...on ${type.name}{__typename}`, '...on Odd{a}', '...{__typename}', ...fieldNames, '')
    .map((text) => () => text);
  const selection = fc
    .array(rarely(field, other, 60), { minLength: 1, maxLength: 4 })
    .map((items) => `{${items.map((item, index) => item(`f${index}:`)).join(' ')}}`);
  selections.set(type.name, selection);
  return selection;
}

const definition = fc
  .tuple(
    variable,
    fc.constantFrom(...inputTypeNames, 'Odd', 'Event'),
    fc.constantFrom('', '!', '!', '!!'),
    fc.option(anyLiteral, { freq: 5 }),
  )
  .map(([name, type, mark, otherwise]) => `${name}:${type}${mark}${otherwise === null ? '' : `=${otherwise}`}`);
const definitions = rarely(
  fc.constant(''),
  fc.array(definition, { minLength: 1, maxLength: 3 }).map((all) => `Q(${all.join(',')})`),
  8,
);
const fragment = rarely(
  fc.constant(''),
  fc.constantFrom(
    'fragment F on Event{id}',
    'fragment F on Query{...F}',
    'fragment F on Odd{a}',
    'fragment F{id}',
    'fragment F on Event{...G}fragment G on Event{...F}',
  ),
  8,
);

const queries = selectionOf(schema.getQueryType() as GraphQLOutputType);
const mutations = selectionOf(schema.getMutationType() as GraphQLOutputType);

/** Operations with fields of the schema and odd values. Some of them are invalid. */
const operation = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(definitions, directive, queries, fragment, fc.boolean()).map(([vars, at, selection, more, isFirst]) => {
      const query = `query ${vars} ${at} ${selection}`;
      return isFirst ? `${more} ${query}` : `${query} ${more}`;
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(definitions, mutations, fragment)
      .map(([vars, selection, more]) => `mutation ${vars} ${selection} ${more}`),
  },
);

const lexicalToken = fc.oneof(
  fc.constantFrom(
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    ':',
    '!',
    '=',
    '|',
    '&',
    '@',
    '$',
    '...',
    '"',
    '"""',
    '#',
    '\n',
    ',',
    ' ',
    '\ufeff',
    '\\',
  ),
  fc.constantFrom(
    'query',
    'mutation',
    'subscription',
    'fragment',
    'on',
    'type',
    'extend',
    'schema',
    'null',
    '__schema',
    '__type',
    '__typename',
  ),
  fc.constantFrom(...fieldNames),
  anyLiteral,
  oddText,
);
const tokenSoup = fc.array(lexicalToken, { maxLength: 25 }).map((tokens) => tokens.join(' '));

const special = fc.constantFrom(
  getIntrospectionQuery(),
  '{__schema{types{name fields(includeDeprecated:true){name args{name type{ofType{ofType{name}}}} type{fields{type{fields{name}}}}}}}}',
  '{__type(name:"__proto__"){name}}',
  '{__type(name:null){name}}',
  `{${Array.from({ length: 2000 }, (_, index) => `a${index}:__typename`).join(' ')}}`,
  `{${'__typename '.repeat(3000)}}`,
  `query(${Array.from({ length: 500 }, (_, index) => `$a${index}:Int`).join(' ')}){__typename}`,
  `{${Array.from({ length: 20 }, (_, index) => `a${index}:events(first:1){nodes{id data}}`).join(' ')}}`,
  `${'fragment F on Event{...F}'.repeat(50)} {__typename}`,
  'subscription{events{nodes{id}}}',
  'query A{__typename} query B{__typename}',
  'query A{__typename} query A{__typename}',
  '',
  '#',
);

/** GraphQL documents, from valid ones to random characters. */
export const randomDocument: fc.Arbitrary<string> = fc.oneof(
  { weight: 36, arbitrary: operation },
  { weight: 12, arbitrary: tokenSoup },
  {
    weight: 3,
    arbitrary: fc
      .tuple(operation, fc.nat(), oddText)
      .map(([text, at, odd]) => text.slice(0, at % text.length) + odd + text.slice(at % text.length)),
  },
  { weight: 3, arbitrary: special },
  { weight: 1, arbitrary: deepText },
);
