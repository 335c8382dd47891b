import fc from 'fast-check';
import { randomDocument } from './random-document.js';
import { headers, queryString, type RandomRequest, token } from './random-request.js';
import { jsonLike, oddJson, oddText, throughUtf8 } from './random-text.js';

const variables = fc.oneof(fc.dictionary(fc.constantFrom('v0', 'v1', 'v2', 'v3'), oddJson), oddJson);
const usual = { admin: fc.constant('admin' as const), json: fc.constant({ 'content-type': 'application/json' }) };

const post = fc.record({
  method: fc.constant('POST'),
  path: fc.constant('/graphql'),
  headers: usual.json,
  body: fc.record({ query: randomDocument, variables }, { requiredKeys: ['query'] }).map((body) => JSON.stringify(body)),
  token: usual.admin,
});

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

/** Requests to the GraphQL path: documents with variables, and the odd ways to send them. */
export const graphqlRequest: fc.Arbitrary<RandomRequest> = fc.oneof(
  { weight: 6, arbitrary: post },
  { weight: 2, arbitrary: oddPost },
  { weight: 1, arbitrary: get },
);
