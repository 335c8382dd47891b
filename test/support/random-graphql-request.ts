import fc from 'fast-check';
import { randomDocument } from './random-document.js';
import { inOtherEncodings } from './random-encoding.js';
import { headers, queryString, type RandomRequest, token } from './random-request.js';
import { deepText, jsonLike, oddJson, oddText, throughUtf8 } from './random-text.js';

const variables = fc.oneof(
  { weight: 8, arbitrary: fc.dictionary(fc.constantFrom('v0', 'v1', 'v2', 'v3'), oddJson) },
  { weight: 1, arbitrary: oddJson },
);

const postOf = (body: fc.Arbitrary<object>) =>
  fc.record({
    method: fc.constant('POST'),
    path: fc.constant('/graphql'),
    headers: fc.constant({ 'content-type': 'application/json' }),
    body: body.map((json) => JSON.stringify(json)),
    token: fc.constant('admin' as const),
  });

const randomPost = postOf(fc.record({ query: randomDocument, variables }, { requiredKeys: ['query'] }));

const maybe = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
/** Usually a value of the right type, sometimes any JSON. */
const mostly = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof({ weight: 60, arbitrary }, { weight: 1, arbitrary: oddJson });
const smallNumber = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1, max: 40 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, -1, 1001, 2_147_483_647, -2_147_483_648, 2_147_483_648) },
);
const texts = fc.array(mostly(oddText), { minLength: 1, maxLength: 3 });
const filter = fc.record({
  query: maybe(mostly(oddText)),
  searchIn: maybe(mostly(fc.array(fc.constantFrom('DATA', 'PRE_DATA', 'TAGS')))),
  ids: maybe(mostly(fc.array(smallNumber, { minLength: 1 }))),
  features: maybe(mostly(texts)),
  projects: maybe(mostly(texts)),
  types: maybe(mostly(fc.array(fc.constantFrom('FEATURE_CREATED', 'OTHER'), { minLength: 1 }))),
  typeNames: maybe(mostly(texts)),
  createdByUserIds: maybe(mostly(fc.array(smallNumber, { minLength: 1 }))),
  environments: maybe(mostly(texts)),
  from: maybe(fc.constantFrom('2024-02-29', '0001-01-01', '2023-02-29')),
  to: maybe(fc.constantFrom('2024-02-29', '9999-12-31', '2023-02-29')),
  createdByNames: maybe(fc.constantFrom(['admin'], ['x', 'y'])),
  since: maybe(fc.constantFrom('2024-02-29T00:00:00Z', '0001-01-01T00:00:00+00:00')),
  until: maybe(fc.constantFrom('9999-12-31T23:59:59.999Z', '2024-03-01T00:00:00.123456+05:45')),
});
/** Positions in the log, some of which do not exist. */
const CURSORS = [
  ...['0001-01-01T00:00:00.000000Z,1', '9999-12-31T23:59:59.999999Z,-1', 'infinity,1', '-infinity,2147483647'],
  ...[
    '20000-02-29T00:00:00.000000Z AD,1',
    '0044-03-15T00:00:00.000000Z BC,5',
    '294277-01-01T00:00:00.000000Z AD,1',
    'Infinity,1',
  ],
];
const cursor = mostly(fc.oneof(oddText, fc.constantFrom(...CURSORS).map(btoa)));
/** Cursors of the feed before they are encoded: of another log, out of range, or malformed. */
const FEED_CURSORS = [
  '1,,,0,',
  '1,5,AAAAAAAA,0,',
  '1,-1,,-1,',
  '1,2147483648,AAAAAAAA,9007199254740993,',
  '2,1,,0,',
  '1,1e3,,NaN,',
];
const feedStart = mostly(
  fc.oneof(oddText, fc.constantFrom('start', 'now', '2024-02-29T00:00:00Z', ...FEED_CURSORS.map((text) => btoa(text)))),
);

/** Operations of the API, with odd values of the right type. */
const operationPost = fc.oneof(
  postOf(
    fc.record({
      query: fc.constant(
        'query($f:EventFilter,$b:EventDimension,$i:CountInterval,$z:String!,$t:Int!){eventCounts(filter:$f,by:$b,interval:$i,timeZone:$z,top:$t){total interval buckets{start end count} groups{key count counts} other distinct version}}',
      ),
      variables: fc.record({
        f: maybe(filter),
        b: maybe(mostly(fc.constantFrom('TYPE', 'PROJECT', 'FEATURE', 'ENVIRONMENT', 'CREATED_BY'))),
        i: maybe(mostly(fc.constantFrom('AUTO', 'MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH'))),
        z: mostly(
          fc.oneof(
            { weight: 20, arbitrary: fc.constantFrom('UTC', 'europe/berlin', 'Africa/Monrovia', 'Etc/GMT+12', 'GMT0') },
            { weight: 1, arbitrary: fc.constantFrom('EST', 'posix/UTC', '../UTC', '+01:00', 'UTC-1') },
            { weight: 1, arbitrary: oddText },
          ),
        ),
        t: mostly(fc.constantFrom(1, 5, 50)),
      }),
    }),
  ),
  postOf(
    fc.record({
      query: fc.constant(
        'query($f:EventFilter,$o:Int!,$l:Int!){searchEvents(filter:$f,offset:$o,limit:$l){total events{id type data preData tags{type}}}}',
      ),
      variables: fc.record({ f: mostly(filter), o: smallNumber, l: smallNumber }),
    }),
  ),
  postOf(
    fc.record({
      query: fc.constant(
        'query($f:EventFilter,$n:Int,$a:String,$l:Int,$b:String){events(filter:$f,first:$n,after:$a,last:$l,before:$b){totalCount edges{cursor} pageInfo{hasNextPage hasPreviousPage}}}',
      ),
      variables: fc.record({
        f: maybe(filter),
        n: maybe(smallNumber),
        a: maybe(cursor),
        l: maybe(smallNumber),
        b: maybe(cursor),
      }),
    }),
  ),
  postOf(
    fc.record({
      query: fc.constant(
        'query($f:EventFilter,$a:String!,$n:Int!){eventFeed(filter:$f,after:$a,first:$n){events{id changes{complete}} cursors cursor upToDate}}',
      ),
      variables: fc.record({ f: maybe(filter), a: feedStart, n: smallNumber }),
    }),
  ),
  postOf(
    fc.record({
      query: fc.constant(
        'query($t:String!,$i:Int!){featureEvents(featureName:$t){toggleName totalEvents events{id}} signupToken(secret:$t){name} event(id:$i){id}}',
      ),
      variables: fc.record({ t: mostly(oddText), i: smallNumber }),
    }),
  ),
  postOf(
    fc.record({
      query: fc.constant(
        'mutation($n:String!,$e:DateTimeISO!){createPublicSignupToken(input:{name:$n,expiresAt:$e}){secret name url expiresAt enabled}}',
      ),
      variables: fc.record({
        n: mostly(oddText),
        e: mostly(fc.oneof(oddText, fc.constantFrom('2030-01-01T00:00:00Z', '0001-01-01T00:00:00+00:01'))),
      }),
    }),
  ),
);

const oddBody = fc.oneof(
  fc
    .record(
      { query: fc.oneof(randomDocument, oddJson), variables, operationName: fc.oneof(oddText, oddJson), extensions: oddJson },
      { requiredKeys: [] },
    )
    .map((body) => JSON.stringify(body)),
  fc.array(fc.record({ query: randomDocument }), { maxLength: 3 }).map((batch) => JSON.stringify(batch)),
  randomDocument,
  jsonLike,
);
const oddPost = fc.record({
  method: fc.constantFrom('POST', 'POST', 'POST', 'PUT', 'GET', 'QUERY'),
  path: fc.tuple(fc.constantFrom('/graphql', '/graphql/'), fc.oneof(fc.constant(''), queryString)).map((parts) => parts.join('')),
  headers: headers.map((odd) => ({ 'content-type': 'application/json', ...odd })),
  body: oddBody,
  token,
});

const get = fc.record({
  method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD'),
  path: fc
    .record(
      {
        query: randomDocument.map((text) => text.slice(0, 3000)),
        variables: fc.oneof(
          variables.map((json) => JSON.stringify(json)),
          jsonLike,
          oddText,
        ),
        operationName: oddText,
        extensions: jsonLike,
      },
      { requiredKeys: ['query'] },
    )
    .map((parameters) => {
      const pairs = Object.entries(parameters).map(
        ([name, value]) => `${name}=${encodeURIComponent(throughUtf8((value ?? '').slice(0, 3000)))}`,
      );
      return `/graphql?${pairs.join('&')}`;
    }),
  headers,
  token,
});

/** Texts between brackets, after which a scanner may take what follows for a part of a string or a comment. */
const distractions = fc.array(fc.constantFrom('#"\n', '"" ', '"""\\"""""" ', '"\\"" ', '#{\n', ',', '\ufeff', '"\\u007b" '), {
  maxLength: 3,
});
/** Nesting so deep that recursive code overflows the stack: in the document, its variables or its extensions. */
const deepPost = fc
  .tuple(deepText, distractions, fc.constantFrom('query', 'variables', 'extensions', 'operationName'))
  .map(([deep, between, where]) => {
    const document = where === 'query' ? deep.replaceAll(/[[({]/g, (open) => between.join('') + open) : '{viewer{name}}';
    const more = where === 'query' ? '' : `,"${where}":${deep}`;
    return {
      method: 'POST',
      path: '/graphql',
      headers: { 'content-type': 'application/json' },
      body: `{"query":${JSON.stringify(document.slice(0, 90_000))}${more}}`,
      token: 'admin' as const,
    };
  });

/** Requests to the GraphQL path: documents with variables, sent in usual and in odd ways. */
export const graphqlRequest: fc.Arbitrary<RandomRequest> = fc.oneof(
  { weight: 10, arbitrary: randomPost },
  { weight: 6, arbitrary: operationPost },
  { weight: 4, arbitrary: oddPost },
  { weight: 2, arbitrary: get },
  { weight: 1, arbitrary: deepPost },
  { weight: 1, arbitrary: inOtherEncodings(operationPost) },
);
