import { afterEach, describe, expect, test } from '@jest/globals';
import { expectError } from '../support/expect-error.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const CLOSED = '/api/admin/search/events?limit=1';

describe('wrong tokens from one address', () => {
  let gateway: TestGateway;
  afterEach(() => gateway.stop());

  const start = async () => {
    gateway = await startTestGateway('empty', { FAILED_LOGINS_PER_MINUTE: '3', TRUSTED_PROXIES: '127.0.0.1' });
  };
  const from = (address: string, token: string | null) =>
    gateway.send(CLOSED, { token, headers: { 'x-forwarded-for': address } });
  const sendWrongTokens = async (address: string, times: number) => {
    for (let n = 0; n < times; n += 1) expectError(await from(address, `flaggw_wrong${n}`), 401, 'UnauthorizedError');
  };

  test('beyond the limit → 429 with Retry-After, also for a valid token, and one warning in the log', async () => {
    await start();
    await sendWrongTokens('192.0.2.1', 3);
    const unused = await gateway.createToken({});
    // A valid token gets the same response, so that brute force does not find it.
    for (const token of ['flaggw_wrong', unused]) {
      const response = await from('192.0.2.1', token);
      expectError(response, 429, 'TooManyRequestsError');
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    }
    const lines = gateway.log.map((line) => JSON.parse(line)).filter(({ address }) => address === '192.0.2.1');
    expect(lines.filter(({ level }) => level >= 40)).toHaveLength(1);
    expect(lines.filter(({ msg }) => msg === 'request').map(({ status }) => status)).toEqual([401, 401, 401, 429, 429]);
    expect((await from('192.0.2.2', unused)).status).toBe(200);
  });

  test('beyond the limit → a recently valid token is still accepted', async () => {
    await start();
    expect((await from('192.0.2.1', gateway.viewerToken)).status).toBe(200);
    await sendWrongTokens('192.0.2.1', 3);
    expect((await from('192.0.2.1', gateway.viewerToken)).status).toBe(200);
    expect((await from('192.0.2.1', `Bearer ${gateway.viewerToken}`)).status).toBe(200);
  });

  test.each([
    ['and another of the same IPv6 network → counted together', '2001:db8:1:2::1', '2001:db8:1:2:ffff::2', 429],
    ['and another of another IPv6 network → counted separately', '2001:db8:1:2::1', '2001:db8:1:3::1', 401],
    ['in IPv4 form and in IPv6 form → counted together', '192.0.2.9', '::ffff:192.0.2.9', 429],
  ])('%s', async (_, first, second, status) => {
    await start();
    await sendWrongTokens(first, 3);
    expect((await from(second, 'flaggw_wrong')).status).toBe(status);
  });

  test('sent in a burst → limited too', async () => {
    await start();
    const statuses = await Promise.all(
      Array.from({ length: 30 }, async (_, n) => (await from('192.0.2.1', `flaggw_burst${n}`)).status),
    );
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(6);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
  });

  test('no token → not counted', async () => {
    await start();
    for (let n = 0; n < 5; n += 1) expectError(await from('192.0.2.1', null), 401, 'AuthenticationRequired');
  });
});

test('x-forwarded-for from a proxy that is not trusted → one warning', async () => {
  const gateway = await startTestGateway();
  try {
    for (let n = 0; n < 2; n += 1) await gateway.send('/livez', { headers: { 'x-forwarded-for': '192.0.2.1' } });
    expect(gateway.log.filter((line) => line.includes('TRUSTED_PROXIES'))).toHaveLength(1);
  } finally {
    await gateway.stop();
  }
});
