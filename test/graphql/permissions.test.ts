import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectGraphqlError } from '../support/expect-error.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const CREATE = 'mutation { createPublicSignupToken(input: { name: "a", expiresAt: "2099-01-01T00:00:00Z" }) { secret enabled } }';

describe('permissions in GraphQL', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('log');
  });
  afterAll(() => gateway.stop());

  test.each([
    '{ featureEvents(featureName: "bulk-flag") { totalEvents } }',
    '{ searchEvents { total } }',
    '{ events { totalCount } }',
    '{ event(id: 1) { id } }',
    '{ __schema { queryType { name } } }',
  ])('a VIEWER, %s → allowed', async (query) => {
    const { body } = await gateway.graphql(query, {}, { token: gateway.viewerToken });
    expect(body.errors).toBeUndefined();
    expect(Object.values(body.data)).not.toContain(null);
  });

  test.each([
    ['create a signup token', CREATE],
    ['read a signup token', '{ signupToken(secret: "x") { name } }'],
  ])('a VIEWER who tries to %s → FORBIDDEN with the required permission', async (_, document) => {
    const response = await gateway.graphql(document, {}, { token: gateway.viewerToken });
    expectGraphqlError(response, 'FORBIDDEN', 'PermissionError');
    expect(response.body.errors[0].message).toContain('ADMIN');
    expect(await gateway.prisma.publicSignupToken.count()).toBe(0);
  });

  test('a VIEWER, a signup token beside events → the events and an error', async () => {
    const { body } = await gateway.graphql(
      '{ event(id: 1) { id } signupToken(secret: "x") { name } }',
      {},
      { token: gateway.viewerToken },
    );
    expect(body.data).toEqual({ event: { id: 1 }, signupToken: null });
    expect(body.errors).toMatchObject([{ path: ['signupToken'], extensions: { code: 'FORBIDDEN' } }]);
  });

  test('an ADMIN → may create a signup token and read it', async () => {
    const { body } = await gateway.graphql(CREATE);
    const { secret, enabled } = body.data.createPublicSignupToken;
    expect(enabled).toBe(true);
    const read = await gateway.graphql(
      'query ($secret: String!) { signupToken(secret: $secret) { name createdBy role { name } } }',
      { secret },
    );
    expect(read.body.data.signupToken).toEqual({ name: 'a', createdBy: 'test admin', role: { name: 'Viewer' } });
  });

  test('a mutation over GET → 405, and it is not executed', async () => {
    const count = await gateway.prisma.publicSignupToken.count();
    const { status } = await gateway.send(`/graphql?query=${encodeURIComponent(CREATE)}`);
    expect(status).toBe(405);
    expect(await gateway.prisma.publicSignupToken.count()).toBe(count);
  });
});
