import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { expect, test } from '@jest/globals';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { MIGRATIONS_DIR, readMigrations, readSchema } from '../../src/database/migrations/migrate.js';
import { startSchemaEngine } from '../../src/database/migrations/schema-engine.js';

test('all migrations applied → the schema that schema.prisma describes', async () => {
  const pglite = await PGlite.create({ extensions: { pg_trgm } });
  const shadow = await PGlite.create({ extensions: { pg_trgm } });
  const adapterFactory = new PrismaPGlite(pglite);
  adapterFactory.connectToShadowDb = () => new PrismaPGlite(shadow).connect();
  const engine = await startSchemaEngine(readSchema(), adapterFactory);
  try {
    const { stdout } = await engine.diff({
      from: { tag: 'migrations', ...readMigrations(MIGRATIONS_DIR) },
      to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: readSchema() }] },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    expect(stdout?.trim()).toBe('-- This is an empty migration.');
  } finally {
    engine.free();
    await pglite.close();
    await shadow.close();
  }
});
