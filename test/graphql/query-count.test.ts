import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordSql } from '../support/record-sql.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const COUNT = /\bcount\(\*\)/i;
const READ_EVENTS = /\bFROM "?(public"?\.)?"?events\b/i;
const READ_SIGNUPS = /\bFROM "?(public"?\.)?"?(public_signup_token|users|roles?_?)/i;

describe('the number of queries of a request', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('log');
  });
  afterAll(() => gateway.stop());

  describe('totals are counted only when requested', () => {
    const cases: [string, number, number][] = [
      ['{ searchEvents { events { id } } }', 0, 1],
      ['{ searchEvents { total } }', 1, 1],
      ['{ searchEvents { total events { id } } }', 1, 1],
      ['{ events { nodes { id } edges { cursor } } }', 0, 1],
      ['{ events { totalCount } }', 1, 1],
      ['{ events(first: 2) { nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor } } }', 0, 1],
      ['{ events { a: totalCount b: totalCount } }', 1, 1],
      ['{ featureEvents(featureName: "bulk-flag") { events { id } } }', 0, 2],
      ['{ featureEvents(featureName: "bulk-flag") { totalEvents } }', 1, 1],
      ['{ featureEvents(featureName: "bulk-flag") { events { id } totalEvents } }', 0, 2],
      ['{ featureEvents(featureName: "bulk-flag") { totalEvents events { id } } }', 0, 2],
    ];
    test.each(cases)('%s → %d counts in %d reads of the log', async (query, counts, reads) => {
      // The first request caches the count. The second one counts new events only. Its text differs, so no response is kept for it.
      await gateway.graphql(`${query} `);
      const statements = recordSql();
      const { body } = await gateway.graphql(query);
      expect(body.errors).toBeUndefined();
      expect(statements(COUNT)).toHaveLength(counts);
      // Reads of the highest id are left out: they happen at most once a second.
      expect(statements(READ_EVENTS).filter((text) => !/max\(id\)/.test(text))).toHaveLength(reads);
    });
  });

  describe('users and role of signup tokens', () => {
    const secretOf = (index: number) => String(index).padStart(32, '0');
    beforeAll(async () => {
      for (let token = 0; token < 12; token += 1) {
        await gateway.prisma.publicSignupToken.create({
          data: { secret: secretOf(token), name: `token ${token}`, expiresAt: '2099-01-01T00:00:00Z', roleId: 3 },
        });
        for (let user = 0; user < 5; user += 1) {
          const signups = { create: { secret: secretOf(token) } };
          await gateway.prisma.user.create({ data: { name: `user ${user}`, signups, roles: { create: [{ roleId: 3 }] } } });
        }
      }
    });

    const read = async (tokens: number) => {
      const aliases = Array.from(
        { length: tokens },
        (_, index) => `t${index}: signupToken(secret: "${secretOf(index)}") { ...T }`,
      );
      const statements = recordSql();
      const { body } = await gateway.graphql(
        `{ ${aliases.join(' ')} } fragment T on PublicSignupToken { name role { name } users { id rootRole } }`,
      );
      expect(Object.values(body.data)).toEqual(
        Array.from({ length: tokens }, (_, index) =>
          expect.objectContaining({
            name: `token ${index}`,
            role: { name: 'Viewer' },
            users: Array(5).fill({ id: expect.any(Number), rootRole: 3 }),
          }),
        ),
      );
      return statements(READ_SIGNUPS).length;
    };

    test('twelve tokens → as many queries as for one', async () => {
      const one = await read(1);
      expect(one).toBeGreaterThan(0);
      expect(await read(12)).toBe(one);
    });
  });
});
