/**
 * @typedef {object} Way
 * @property {string} name
 * @property {number} connections
 * @property {number} [pipelining] requests that each connection sends before it waits for a response
 * @property {boolean} [isReadSlowly] whether the client reads a few kilobytes a second
 * @property {'ADMIN'} [role] the role of the token, if not VIEWER
 * @property {Wanted[]} requests sent in turn
 * @property {string} [expects] the outcome of at least one request, by default status 200, if any response begins. Without
 * such a request, the way attacks nothing.
 * @property {Wanted[]} [ofOneTurn] requests that take as long as one turn of the way, by default some of its own
 *
 * @typedef {{method?: 'GET' | 'HEAD' | 'POST', path: string, body?: string, accept?: string}} Wanted
 */

export const LARGE_FLAG = 'large-flag';
/** A flag with 1,000 events of 60 kB. */
export const LARGE_EVENTS = 'large-events';

/** Requests of one kind differ, so that no cached total helps. */
const VARIANTS = 200;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

const SEARCH = '/api/admin/search/events';
const FLAG = `/api/admin/events/${LARGE_FLAG}`;

const PAGE_OF_FLAG = { path: `${SEARCH}?limit=1000&feature=IS:${LARGE_FLAG}` };

/** @type {<Item>(toItem: (n: number) => Item) => Item[]} */
const variants = (toItem) => Array.from({ length: VARIANTS }, (_, n) => toItem(n));

/** Parts of a document. @type {(count: number, toPart: (n: number) => string) => string} */
const times = (count, toPart) => Array.from({ length: count }, (_, n) => toPart(n)).join(' ');

const OF_LARGE_EVENTS = `{features: ["${LARGE_EVENTS}"]}`;

/** @type {(query: string) => Wanted} */
const graphql = (query) => ({ method: 'POST', path: '/graphql', body: JSON.stringify({ query }) });

const twoLetters = (/** @type {number} */ n) => `${LETTERS[n % 26]}${LETTERS[Math.floor(n / 26) % 26]}`;
const searchField = (/** @type {number} */ n) =>
  `a${n}: events(first: 20, filter: {query: "${twoLetters(n)}"}) { totalCount nodes { id } }`;
const names = (/** @type {number} */ n) => Array.from({ length: 500 }, (_, index) => `flag_${n}_${index}`).join();

/** The ways in which one token may keep the gateway and its database busy within the limits. @type {() => Way[]} */
export const waysOfOneToken = () => [
  {
    name: 'texts of 1,000 characters',
    connections: 20,
    requests: variants((n) => ({ path: `${SEARCH}?limit=1&query=${`${n}-rollout-default-`.repeat(60).slice(0, 1000)}` })),
  },
  {
    name: 'texts of two letters',
    connections: 20,
    requests: variants((n) => ({ path: `${SEARCH}?limit=1&query=${twoLetters(n)}` })),
  },
  {
    name: 'deep offsets',
    connections: 20,
    requests: variants((n) => ({ path: `${SEARCH}?limit=1000&offset=${190_000 - n}` })),
  },
  {
    name: 'lists of 500 names',
    connections: 20,
    requests: variants((n) => ({ path: `${SEARCH}?limit=1000&feature=IS_ANY_OF:${names(n)}` })),
  },
  { name: 'HEAD of a large flag', connections: 100, requests: [{ method: 'HEAD', path: FLAG }] },
  { name: 'a large flag over REST', connections: 4, requests: [{ path: FLAG }], ofOneTurn: [PAGE_OF_FLAG] },
  {
    name: 'a large flag, read slowly',
    connections: 50,
    isReadSlowly: true,
    expects: 'open',
    requests: [{ path: FLAG }],
    ofOneTurn: [PAGE_OF_FLAG],
  },
  {
    name: 'a large flag over GraphQL',
    connections: 20,
    expects: '400',
    ofOneTurn: [PAGE_OF_FLAG],
    requests: [graphql(`{ featureEvents(featureName: "${LARGE_FLAG}") { events { id data preData tags { type value } } } }`)],
  },
  {
    name: '4,000 pipelined requests',
    connections: 1,
    pipelining: 4000,
    requests: variants((n) => ({ path: `${SEARCH}?limit=1000&offset=${n}` })),
  },
  {
    name: 'pages of 1,000 events',
    connections: 100,
    requests: variants((n) => ({ path: `${SEARCH}?limit=1000&offset=${n}` })),
  },
  {
    name: 'pages of large events over REST',
    connections: 100,
    expects: '400',
    requests: [{ path: `${SEARCH}?limit=1000&feature=IS:${LARGE_EVENTS}` }],
    ofOneTurn: [PAGE_OF_FLAG],
  },
  {
    name: 'pages of large events over GraphQL',
    connections: 100,
    requests: [graphql(`{ events(first: 1000, filter: ${OF_LARGE_EVENTS}) { nodes { tags { value } } } }`)],
    ofOneTurn: [PAGE_OF_FLAG],
  },
  {
    // The kept pages wait for one read of the version (events/shared-count.ts), which waits for the text.
    name: 'kept pages of large events beside slow texts',
    connections: 100,
    pipelining: 16,
    requests: variants((n) => ({
      path: n % 16 === 0 ? `${SEARCH}?limit=1&query=${twoLetters(n)}` : `${SEARCH}?limit=30&feature=IS:${LARGE_EVENTS}`,
    })),
  },
  {
    // The pages come after a response that does not end.
    name: 'large pages behind a stream',
    connections: 20,
    pipelining: 16,
    requests: Array.from({ length: 16 }, (_, n) =>
      n === 0
        ? { path: '/v1/events/feed?after=now', accept: 'text/event-stream' }
        : { path: `${SEARCH}?limit=150&feature=IS:${LARGE_EVENTS}&offset=${n}` },
    ),
    ofOneTurn: [PAGE_OF_FLAG],
  },
  {
    name: 'many pages of large events in one operation',
    connections: 100,
    expects: '400',
    requests: [
      graphql(`{ ${times(20, (n) => `a${n}: eventExport(first: 100, filter: ${OF_LARGE_EVENTS}) { events { storedTags } }`)} }`),
    ],
    ofOneTurn: [PAGE_OF_FLAG],
  },
  {
    name: 'a page of large events with aliases',
    connections: 100,
    requests: [
      graphql(`{ events(first: 100, filter: ${OF_LARGE_EVENTS}) { nodes { ${times(30, (n) => `a${n}: storedTags`)} } } }`),
    ],
    ofOneTurn: [PAGE_OF_FLAG],
  },
  {
    name: 'twenty searches in one operation',
    connections: 20,
    requests: variants((n) => graphql(`{ ${times(20, (field) => searchField(n * 20 + field))} }`)),
    // Texts differ in the number of their matches, and so in the time of a turn.
    ofOneTurn: [300, 320, 340].map((n) => graphql(`{ ${searchField(n)} }`)),
  },
  {
    name: 'signup tokens',
    connections: 100,
    pipelining: 16,
    role: 'ADMIN',
    requests: variants((n) =>
      graphql(
        `{ ${Array.from({ length: 20 }, (_, field) => `a${field}: signupToken(secret: "${n * 20 + field}") { users { id } }`).join(' ')} }`,
      ),
    ),
  },
];
