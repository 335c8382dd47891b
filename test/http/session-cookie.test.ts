import type { RequestListener } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { expectError } from '../support/expect-error.js';
import { startHttpServer } from '../support/http-server.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const SEARCH = '/api/admin/search/events?limit=1';
const TOKENS = '/api/admin/invite-link/tokens';
const CACHE_MS = 300;

/** The sessions of the Unleash server, by the value of the cookie. */
const ADMIN_SESSION = 's%3AadminSession.Sig%2Fnature';
const VIEWER_SESSION = 's%3AviewerSession.Sig%2Fnature';

const INVITATION = JSON.stringify({ name: 'by cookie', expiresAt: '2099-01-01T00:00:00Z' });
const JSON_BODY = { 'content-type': 'application/json' };
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

let sessions: Map<string, unknown>;
let unleash: Awaited<ReturnType<typeof startHttpServer>>;
let gateway: TestGateway;

const respondWithUser: RequestListener = ({ headers }, response) => {
  const user = sessions.get(headers.cookie ?? '');
  response.writeHead(user ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(user ?? {}));
};

beforeAll(async () => {
  unleash = await startHttpServer(respondWithUser);
});
beforeEach(() => {
  sessions = new Map<string, unknown>([
    [
      `unleash-session=${ADMIN_SESSION}`,
      { user: { id: 1, username: 'admin', email: 'admin@example.com' }, permissions: [{ permission: 'ADMIN' }] },
    ],
    [`unleash-session=${VIEWER_SESSION}`, { user: { id: 2, username: 'viewer' }, permissions: [] }],
  ]);
  unleash.requests.length = 0;
});
afterAll(() => unleash.stop());

const start = async (env: Readonly<Record<string, string>> = {}) => {
  gateway = await startTestGateway('log', { UNLEASH_URL: unleash.url, UNLEASH_TOKEN_CACHE_MS: String(CACHE_MS), ...env });
  // Leaves out the request by which the gateway has checked the URL of Unleash.
  unleash.requests.length = 0;
};
const cookie = (value: string) => `theme=dark; unleash-session=${value}; other=1`;
const send = (path: string, headers: Readonly<Record<string, string>>, options: { method?: string; body?: string } = {}) =>
  gateway.send(path, { token: null, headers, ...options });
const create = (headers: Readonly<Record<string, string>>, session = ADMIN_SESSION, body = INVITATION) =>
  send(TOKENS, { cookie: cookie(session), ...JSON_BODY, ...headers }, { method: 'POST', body });
const query = (headers: Readonly<Record<string, string>>, session = ADMIN_SESSION) =>
  send(
    '/graphql',
    { cookie: cookie(session), ...JSON_BODY, ...headers },
    { method: 'POST', body: JSON.stringify({ query: '{ viewer { name role } }' }) },
  );
const countInvitations = () => gateway.prisma.publicSignupToken.count();

describe('the session cookie of Unleash, from a page of the same origin', () => {
  afterEach(() => gateway.stop());

  test('other encodings of the same session → one budget and one lookup', async () => {
    await start({ GRAPHQL_COST_PER_MINUTE: '100', UNLEASH_TOKEN_CACHE_MS: '60000' });
    const encodings = [
      ADMIN_SESSION,
      ADMIN_SESSION.replace('a', '%61'),
      ADMIN_SESSION.replace('d', '%64'),
      's:adminSession.Sig/nature',
    ];
    const statuses = [];
    for (let n = 0; n < 12; n += 1) {
      const session = encodings[n % encodings.length] ?? '';
      statuses.push((await send(SEARCH, { cookie: cookie(session), ...SAME_ORIGIN })).status);
    }
    // A search costs 11, and the first one also counts the log.
    expect([statuses[0], statuses.at(-1), statuses.filter((status) => status === 200).length > 9]).toEqual([200, 429, false]);
    expect(unleash.requests.length).toBe(1);
  });

  test('several sessions of one user → one budget; another user has its own', async () => {
    await start({ GRAPHQL_COST_PER_MINUTE: '100', UNLEASH_TOKEN_CACHE_MS: '60000' });
    const admin = sessions.get(`unleash-session=${ADMIN_SESSION}`);
    const statuses = [];
    for (let n = 0; n < 12; n += 1) {
      sessions.set(`unleash-session=s${n}`, admin);
      statuses.push((await send(SEARCH, { cookie: cookie(`s${n}`), ...SAME_ORIGIN })).status);
    }
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 429]);
    expect((await send(SEARCH, { cookie: cookie(VIEWER_SESSION), ...SAME_ORIGIN })).status).toBe(200);
  });

  test('a creation that is sent again with another session of the user → the first response; from another user → its own', async () => {
    await start();
    const admin = sessions.get(`unleash-session=${ADMIN_SESSION}`) as { user: object };
    sessions.set('unleash-session=later', admin);
    sessions.set('unleash-session=other', { ...admin, user: { id: 3, username: 'other' } });
    const headers = { ...SAME_ORIGIN, 'idempotency-key': 'again' };
    const [first, second, third] = [await create(headers), await create(headers, 'later'), await create(headers, 'other')];
    expect([first.status, second.text]).toEqual([201, first.text]);
    expect([third.status, third.headers.location === first.headers.location]).toEqual([201, false]);
    expect(await countInvitations()).toBe(2);
  });

  test('a cookie that is malformed, empty or very long → 401 without a lookup', async () => {
    await start({ FAILED_LOGINS_PER_MINUTE: '0' });
    for (const session of ['%', '%ff', '', 'a'.repeat(5000)])
      expect((await send(SEARCH, { cookie: cookie(session), ...SAME_ORIGIN })).status).toBe(401);
    expect(unleash.requests).toEqual([]);
  });

  test('accepted by REST and GraphQL, and Unleash gets this one cookie', async () => {
    await start();
    expect((await send(SEARCH, { cookie: cookie(ADMIN_SESSION), ...SAME_ORIGIN })).status).toBe(200);
    expect((await send('/api/admin/events/any', { cookie: cookie(ADMIN_SESSION), ...SAME_ORIGIN })).status).toBe(200);
    expect((await query(SAME_ORIGIN)).body.data.viewer).toEqual({ name: 'admin', role: 'ADMIN' });
    const created = await create(SAME_ORIGIN);
    expect([created.status, created.body.createdBy]).toEqual([201, 'admin@example.com']);
    expect((await send(`${TOKENS}/${created.body.secret}`, { cookie: cookie(ADMIN_SESSION) })).body.name).toBe('by cookie');

    for (const { url, headers } of unleash.requests) {
      expect([url, headers.cookie]).toEqual(['/api/admin/user', `unleash-session=${ADMIN_SESSION}`]);
      expect(headers).not.toHaveProperty('authorization');
    }
    expect(unleash.requests.length).toBeGreaterThan(0);
    expect(gateway.log.join('')).not.toContain('adminSession');
  });

  test('a viewer → sees no event without a project, and may not create', async () => {
    await start();
    const seen = await send('/api/admin/search/events?limit=1000', { cookie: cookie(VIEWER_SESSION), ...SAME_ORIGIN });
    const all = await send('/api/admin/search/events?limit=1000', { cookie: cookie(ADMIN_SESSION), ...SAME_ORIGIN });
    const hasProject = ({ project }: { project: string | null }) => project !== null;
    const ofProjects = all.body.events.filter(hasProject);
    expect(ofProjects.length).toBeLessThan(all.body.events.length);
    expect(seen.body.events.slice(0, ofProjects.length)).toEqual(ofProjects);
    expect(seen.body.events.every(hasProject)).toBe(true);
    expect(seen.body.total).toBeLessThan(all.body.total);
    expectError(await create(SAME_ORIGIN, VIEWER_SESSION), 403, 'PermissionError');
    expect(await countInvitations()).toBe(0);
  });

  test('a response → private, and its etag is not valid for a user with other rights', async () => {
    await start();
    const { headers } = await send(SEARCH, { cookie: cookie(ADMIN_SESSION), ...SAME_ORIGIN });
    expect(headers['cache-control']).toContain('private');
    const etag = String(headers['etag']);
    const again = (session: string) => send(SEARCH, { cookie: cookie(session), 'if-none-match': etag, ...SAME_ORIGIN });
    expect((await again(ADMIN_SESSION)).status).toBe(304);
    expect((await again(VIEWER_SESSION)).status).toBe(200);
  });

  test('logged out → 401 within the time of the cache', async () => {
    await start();
    const read = () => send(SEARCH, { cookie: cookie(ADMIN_SESSION), ...SAME_ORIGIN });
    expect((await read()).status).toBe(200);
    sessions.clear();
    let last = await read();
    for (const deadline = Date.now() + CACHE_MS + 2_000; last.status === 200 && Date.now() < deadline; ) last = await read();
    expectError(last, 401, 'UnauthorizedError');
  });

  test('wrong sessions → counted like wrong tokens, and then 429', async () => {
    await start({ FAILED_LOGINS_PER_MINUTE: '3' });
    const guess = (n: number) => send(SEARCH, { cookie: cookie(`s%3Aguess${n}`), ...SAME_ORIGIN });
    for (let n = 0; n < 3; n += 1) expectError(await guess(n), 401, 'UnauthorizedError');
    expectError(await guess(3), 429, 'TooManyRequestsError');
  });

  test('with an authorization header → the header alone counts, right or wrong', async () => {
    await start();
    const headers = { cookie: cookie(ADMIN_SESSION), ...JSON_BODY };
    const rejected = await send(TOKENS, { ...headers, authorization: gateway.viewerToken }, { method: 'POST', body: INVITATION });
    expectError(rejected, 403, 'PermissionError');
    expectError(await send(SEARCH, { ...headers, authorization: 'flaggw_wrong' }), 401, 'UnauthorizedError');
    expectError(await send(SEARCH, { ...headers, authorization: '' }), 401, 'AuthenticationRequired');
    expect(unleash.requests).toHaveLength(0);
  });

  test('a cookie of another name, or with this name in its value → no credential', async () => {
    await start();
    const others = ['not-unleash-session', 'unleash-session2'].map((name) => `${name}=${ADMIN_SESSION}`);
    for (const header of [...others, `a=unleash-session=${ADMIN_SESSION}`, 'unleash-session', 'unleash-session=']) {
      expectError(await send(SEARCH, { cookie: header }), 401, 'AuthenticationRequired');
    }
    expect(unleash.requests).toHaveLength(0);
  });
});

test('without UNLEASH_URL → the cookie is ignored', async () => {
  gateway = await startTestGateway();
  try {
    expectError(await send(SEARCH, { cookie: cookie(ADMIN_SESSION), ...SAME_ORIGIN }), 401, 'AuthenticationRequired');
    expectError(await create(SAME_ORIGIN), 401, 'AuthenticationRequired');
  } finally {
    await gateway.stop();
  }
});

describe('a request with the session cookie that another page may have caused', () => {
  beforeAll(() => start());
  afterAll(() => gateway.stop());

  const expectRejected = async (answer: Promise<Awaited<ReturnType<typeof send>>>) => {
    const { status, body } = await answer;
    const { name } = body.errors?.[0].extensions ?? body;
    expect([status, name]).toEqual([403, 'PermissionError']);
    // The response would otherwise tell whether somebody is logged in.
    expect(unleash.requests).toHaveLength(0);
  };

  test.each<[string, Readonly<Record<string, string>>]>([
    ['a fetch of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['a fetch of another host of the same site', { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:9' }],
    ['an address that was typed, with a body', { 'sec-fetch-site': 'none' }],
    ['an unknown relation', { 'sec-fetch-site': 'Same-Origin, same-origin' }],
    ['an old browser, from another origin', { origin: 'https://evil.example' }],
    ['an old browser, from a sandboxed frame', { origin: 'null' }],
    ['a missing origin', {}],
    ['a missing origin, with a forged host of a proxy', { 'x-forwarded-host': 'evil.example' }],
    [
      'an origin that only a proxy names, which is not trusted',
      { origin: 'http://evil.example', 'x-forwarded-host': 'evil.example' },
    ],
  ])('a creation and GraphQL by %s → 403 without a look at the session', async (_, headers) => {
    await expectRejected(create(headers));
    await expectRejected(query(headers));
    expect(await countInvitations()).toBe(0);
  });

  test('a form of another site → 403, before its body is read', async () => {
    const form = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      await expectRejected(create({ ...form, 'content-type': type }));
    expect(await countInvitations()).toBe(0);
  });

  test.each(['cross-site', 'same-site'])('a read that a %s page causes → 403, so that it uses up no budget', async (site) => {
    for (const mode of ['navigate', 'no-cors', 'cors'])
      await expectRejected(send(SEARCH, { cookie: cookie(ADMIN_SESSION), 'sec-fetch-site': site, 'sec-fetch-mode': mode }));
  });

  test('GraphQL by GET that was typed, or without a proof → 403', async () => {
    const get = (headers: Readonly<Record<string, string>>) =>
      send('/graphql?query={__typename}', { cookie: cookie(ADMIN_SESSION), 'apollo-require-preflight': '1', ...headers });
    await expectRejected(get({ 'sec-fetch-site': 'none' }));
    await expectRejected(get({}));
    expect((await get(SAME_ORIGIN)).status).toBe(200);
  });

  test('a read that was typed into the address bar, or by a browser that sends neither header → accepted', async () => {
    expect((await send(SEARCH, { cookie: cookie(ADMIN_SESSION), 'sec-fetch-site': 'none' })).status).toBe(200);
    expect((await send(SEARCH, { cookie: cookie(ADMIN_SESSION) })).status).toBe(200);
    const other = { origin: 'https://evil.example' };
    expectError(await send(SEARCH, { cookie: cookie(ADMIN_SESSION), ...other }), 403, 'PermissionError');
  });

  test('an old browser, from a page of this origin → accepted', async () => {
    expect((await create({ origin: gateway.url })).status).toBe(201);
    expect((await query({ origin: gateway.url })).status).toBe(200);
    expect((await create({ origin: gateway.url.replace('http:', 'https:') })).status).toBe(403);
  });
});

describe('a request with the session cookie, in another configuration', () => {
  afterEach(() => gateway.stop());

  test('behind a trusted proxy → the origin of the URL that the browser used', async () => {
    await start({ TRUSTED_PROXIES: '127.0.0.1' });
    const behind = { 'x-forwarded-host': 'flags.example.com', 'x-forwarded-proto': 'https' };
    expect((await create({ ...behind, origin: 'https://flags.example.com' })).status).toBe(201);
    expect((await create({ ...behind, origin: 'http://flags.example.com' })).status).toBe(403);
    expect((await create({ ...behind, origin: gateway.url })).status).toBe(403);
  });

  test('a preflight of an origin in CORS_ORIGINS → never allows credentials', async () => {
    const origin = 'https://portal.example';
    await start({ CORS_ORIGINS: origin });
    const preflight = await gateway.send(TOKENS, {
      method: 'OPTIONS',
      token: null,
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    });
    const rejected = await create({ origin, 'sec-fetch-site': 'cross-site' });
    expect(rejected.status).toBe(403);
    for (const { headers } of [preflight, rejected]) {
      expect(headers['access-control-allow-origin']).toBe(origin);
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
  });
});
