import { expect, test } from '@jest/globals';
import { startTestGateway } from '../support/test-gateway.js';

const TOKENS = '/api/admin/invite-link/tokens';
const CREATE = 'mutation { createPublicSignupToken(input: { name: "a", expiresAt: "2099-01-01T00:00:00Z" }) { url } }';
const body = { name: 'a', expiresAt: '2099-01-01T00:00:00Z' };
const retried = { headers: { 'idempotency-key': 'design-team' } };

test.each<[string, Record<string, string>, number]>([
  ['neither SIGNUP_BASE_URL nor UNLEASH_URL set', {}, 3],
  ['SIGNUP_BASE_URL set', { SIGNUP_BASE_URL: 'https://flags.example.com' }, 0],
  // Nothing listens there. The gateway does not ask it, since it knows the token.
  ['UNLEASH_URL set', { UNLEASH_URL: 'http://127.0.0.1:9' }, 0],
])('%s, %j → %i warnings about three creations and a retry', async (_, env, warnings) => {
  const gateway = await startTestGateway('empty', { LOG_LEVEL: 'warn', ...env });
  try {
    await gateway.postJson(TOKENS, body);
    await gateway.postJson(TOKENS, body, retried);
    const retry = await gateway.postJson(TOKENS, body, retried);
    const { data } = (await gateway.graphql(CREATE)).body;
    expect(retry.status).toBe(201);
    expect(await gateway.prisma.publicSignupToken.count()).toBe(3);
    const found = gateway.log.filter((line) => line.includes('invite link'));
    expect(found).toHaveLength(warnings);
    for (const line of found) {
      expect(JSON.parse(line)).toMatchObject({
        level: 40,
        signupBaseUrl: new URL(data.createPublicSignupToken.url).origin,
        msg: expect.stringMatching(/neither SIGNUP_BASE_URL nor UNLEASH_URL is set\. .*Set SIGNUP_BASE_URL/),
      });
    }
  } finally {
    await gateway.stop();
  }
});
