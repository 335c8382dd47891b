import autocannon from 'autocannon';

/** Sends many documents (separate process): `node load-documents.mjs '{"url": …, "token": …, "documents": …, "amount": …}'`. */

const CONNECTIONS = 10;

const { url, token, documents, amount } = JSON.parse(process.argv[2] ?? '');

/** Creates a document with its own name, fields and alias. @type {(n: number) => string} */
function documentOf(n) {
  const fields = ['createdAt', 'type', 'createdBy', 'project', 'featureName', 'data', 'tags { type value }'];
  const chosen = fields.filter((_, index) => (n >> index) % 2 === 0).join(' ');
  return `query Panel${n}($first: Int!) { panel${n}: events(first: $first) { nodes { id ${chosen} } pageInfo { endCursor } } }`;
}

const requests = Array.from({ length: documents }, (_, n) => ({
  method: /** @type {const} */ ('POST'),
  path: '/graphql',
  headers: { authorization: token, 'content-type': 'application/json' },
  body: JSON.stringify({ query: documentOf(n), variables: { first: 3 } }),
}));

let clients = 0;
const result = await autocannon({
  url,
  connections: CONNECTIONS,
  amount,
  setupClient(client) {
    // Each client begins at another document, so that together they send all documents even if each sends few.
    const start = Math.floor((clients++ * documents) / CONNECTIONS);
    client.setRequests([...requests.slice(start), ...requests.slice(0, start)]);
  },
});
if (result.errors > 0 || result.non2xx > 0) throw new Error(`${result.errors + result.non2xx} of ${amount} requests failed.`);
