import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { forEachInFlight } from '../support/in-flight.js';
import { ADD_ODD_ROWS } from '../support/odd-rows.js';
import { randomBytes } from '../support/random-bytes.js';
import { graphqlRequest } from '../support/random-graphql-request.js';
import { isHttp, type RandomRequest, restRequest, toRawRequest } from '../support/random-request.js';
import { randomRuns } from '../support/random-runs.js';
import { flawsOf } from '../support/response-flaws.js';
import { type RawResponse, sendBytes, statusesIn } from '../support/send-raw.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

/** Each seed generates another set of requests: `RANDOM_INPUT_SEED=1 npx jest test/robustness`. */
const SEED = Number(process.env.RANDOM_INPUT_SEED ?? 20261121);
const REST_COUNT = randomRuns(5000);
const GRAPHQL_COUNT = randomRuns(5500);
const NOT_HTTP_COUNT = randomRuns(200);
/** Each of the long tests takes half a minute on an idle machine with two cores. */
const TIMEOUT_MS = 300_000;
/** Keeps reports short, because a request can have a hundred kilobytes. */
const MAX_REPORTED_CHARACTERS = 1500;

/** Messages of this level of pino or higher need the attention of an operator. */
const ERROR_LEVEL = 50;
const TOKEN_CREATED = 'public-signup-token-created';

describe(`random input, seed ${SEED}`, () => {
  let gateway: TestGateway;
  let eventsBefore = 0;
  const countTokenEvents = () => gateway.prisma.event.count({ where: { type: TOKEN_CREATED } });
  beforeAll(async () => {
    // Searches for short texts would use up the budget, and the rest would only be rejected.
    gateway = await startTestGateway('log', { GRAPHQL_COST_PER_MINUTE: '0' });
    await gateway.prisma.$executeRawUnsafe(ADD_ODD_ROWS);
    eventsBefore = await countTokenEvents();
  });
  afterAll(() => gateway.stop());

  const send = (request: RandomRequest) =>
    gateway.send(request.path, toRawRequest(request, { admin: gateway.adminToken, viewer: gateway.viewerToken }));

  async function flawsOfResponse(request: RandomRequest, count: (response: RawResponse) => void): Promise<string[]> {
    const secrets = [gateway.adminToken, gateway.viewerToken];
    try {
      const response = await send(request);
      count(response);
      const flaws = flawsOf(response, {
        isGraphql: request.path.startsWith('/graphql'),
        isHead: request.method === 'HEAD',
        secrets,
      });
      return flaws.length === 0 ? [] : [...flaws, `${response.status} ${response.text.slice(0, 500)}`];
    } catch (error) {
      return isHttp(request) ? [`no response: ${error}`] : [];
    }
  }

  /**
   * Sends all requests.
   * @returns an example of each flaw in the responses, the number of responses by status, and the number of executed documents
   */
  async function sendAll(requests: readonly RandomRequest[]) {
    const flaws = new Map<string, string>();
    const statuses = new Map<number, number>();
    let executed = 0;
    const count = ({ status, body }: RawResponse) => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (body?.data) executed += 1;
    };
    await forEachInFlight(requests, async (request) => {
      const found = await flawsOfResponse(request, count);
      const shape = found.join('; ').replaceAll(/[0-9a-f-]{36}/g, '<id>');
      if (found.length > 0 && !flaws.has(shape)) flaws.set(shape, JSON.stringify(request).slice(0, MAX_REPORTED_CHARACTERS));
    });
    return { flaws: Object.fromEntries(flaws), statuses, executed };
  }

  test(
    `${REST_COUNT} requests to REST and other paths → responses without flaws`,
    async () => {
      const { flaws, statuses } = await sendAll(fc.sample(restRequest, { seed: SEED, numRuns: REST_COUNT }));

      expect(flaws).toEqual({});
      // The requests reach every kind of response.
      for (const status of [200, 201, 400, 401, 403, 404, 413, 415])
        expect([status, statuses.get(status) ?? 0]).not.toEqual([status, 0]);
    },
    TIMEOUT_MS,
  );

  test(
    `${GRAPHQL_COUNT} requests to GraphQL → responses without flaws`,
    async () => {
      const { flaws, executed } = await sendAll(fc.sample(graphqlRequest, { seed: SEED, numRuns: GRAPHQL_COUNT }));

      expect(flaws).toEqual({});
      expect(executed).toBeGreaterThan(GRAPHQL_COUNT / 8);
    },
    TIMEOUT_MS,
  );

  test(`${NOT_HTTP_COUNT} requests that are hardly HTTP → no 5xx`, async () => {
    await forEachInFlight(fc.sample(randomBytes, { seed: SEED, numRuns: NOT_HTTP_COUNT }), async (request) => {
      const response = await sendBytes(gateway.url, request);
      expect({
        request: request.toString('latin1'),
        response,
        isWrong: statusesIn(response).some((status) => status >= 500),
      }).toMatchObject({
        isWrong: false,
      });
    });
  });

  test('after all requests → the gateway responds, has logged no error, and has an event for each signup token', async () => {
    const { status, body } = await gateway.graphql('{ events(first: 1) { totalCount nodes { id } } }');
    const lines = gateway.log.map((line) => JSON.parse(line) as { level: number; err?: { message: string }; msg: string });
    const errors = new Set(lines.filter(({ level }) => level >= ERROR_LEVEL).map(({ err, msg }) => err?.message ?? msg));
    const tokens = await gateway.prisma.publicSignupToken.findMany({ select: { secret: true } });
    const events = await gateway.prisma.event.findMany({ where: { type: TOKEN_CREATED }, select: { data: true } });
    const logged = JSON.stringify(events);

    expect([status, body.errors]).toEqual([200, undefined]);
    expect([...errors]).toEqual([]);
    expect(tokens.length).toBeGreaterThan(10);
    expect((await countTokenEvents()) - eventsBefore).toBe(tokens.length);
    expect(tokens.filter(({ secret }) => logged.includes(secret))).toEqual([]);
  });
});
