import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway('empty');
});
afterAll(() => gateway.stop());

/** Functions that another role could create in a schema where it has that right. Calls without casts would match them exactly. */
const PLANTED = [
  `CREATE FUNCTION pg_advisory_xact_lock(integer) RETURNS void LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'planted'; END $$`,
  `CREATE FUNCTION setval(text, integer) RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'planted'; END $$`,
  `CREATE FUNCTION setval(regclass, integer) RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'planted'; END $$`,
];

test('functions of other roles with better matching types → the functions with the rights of the owner do not call them', async () => {
  const { prisma } = gateway;
  for (const sql of PLANTED) await prisma.$executeRawUnsafe(sql);
  await prisma.$executeRaw`INSERT INTO events (type, created_by) VALUES ('feature-created', 'x')`;
  expect(await prisma.$queryRaw`SELECT gateway_settle_events(2)::text AS settled`).toEqual([{ settled: '' }]);
  await prisma.$executeRaw`INSERT INTO events (id, type, created_by) VALUES (-1, 'feature-created', 'x')`;
  await prisma.$executeRaw`UPDATE events SET type = 'feature-updated'`;
  await prisma.$executeRaw`TRUNCATE events`;
});
