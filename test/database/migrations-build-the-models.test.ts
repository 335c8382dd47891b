import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readMigrations, readSchema, withSchemaEngine } from '../support/schema-engine.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('nothing');
});
afterAll(() => database.drop());

test('all migrations applied → the schema that schema.prisma describes', async () => {
  const { stdout } = await withSchemaEngine(database.location, (engine) =>
    engine.diff({
      from: { tag: 'migrations', ...readMigrations() },
      to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: readSchema() }] },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    }),
  );
  expect(stdout?.trim()).toBe('-- This is an empty migration.');
});
