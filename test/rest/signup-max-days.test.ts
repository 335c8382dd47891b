import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { detailsOf, expectError } from '../support/expect-error.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const DAY_MS = 86_400_000;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway('empty', { SIGNUP_MAX_DAYS: '30' });
});
afterAll(() => gateway.stop());

const create = (inDays: number) =>
  gateway.send('/api/admin/invite-link/tokens', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Invite', expiresAt: new Date(Date.now() + inDays * DAY_MS).toISOString() }),
  });

test('SIGNUP_MAX_DAYS → a later end is rejected, an earlier one accepted', async () => {
  expect((await create(29.9)).status).toBe(201);
  const rejected = await create(30.1);
  expectError(rejected, 400, 'BadDataError');
  expect(detailsOf(rejected)).toEqual(['expiresAt must be within 30 days from now']);
});
