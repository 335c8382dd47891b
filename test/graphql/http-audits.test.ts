import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const EXPECTED_COUNT = 61;

describe('GraphQL over HTTP: the audits of graphql-http', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('empty');
  });
  afterAll(() => gateway.stop());

  const fetchWithToken = (url: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set('authorization', gateway.adminToken);
    return fetch(url, { ...init, headers });
  };
  const audits = serverAudits({ url: () => `${gateway.url}/graphql`, fetchFn: fetchWithToken });

  test(`there are ${EXPECTED_COUNT} audits`, () => {
    expect(audits).toHaveLength(EXPECTED_COUNT);
  });

  test.each(audits)('$id $name', async (audit) => {
    const result = await audit.fn();

    expect(result).toEqual({ id: audit.id, name: audit.name, status: 'ok' });
  });
});
