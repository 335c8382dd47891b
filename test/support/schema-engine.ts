import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { openEmbedded } from '../../src/database/embedded/embedded.js';
import type { DatabaseLocation } from '../../src/database/open.js';

type SchemaEngine = bindings.SchemaEngine;
type MigrationsList = Parameters<SchemaEngine['applyMigrations']>[0]['migrationsList'];

const PRISMA_DIR = fileURLToPath(new URL('../../prisma', import.meta.url));
const MIGRATIONS_DIR = path.join(PRISMA_DIR, 'migrations');

/** TypeScript declares WebAssembly with the browser's library only. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: Record<string, object>) => { exports: Record<string, unknown> };
};

/**
 * Runs `work` with Prisma's own schema engine on a database: `prisma migrate deploy` runs the same engine as a binary, which its CLI
 * downloads. To see what migrations build, the engine runs them in empty databases of its own.
 */
export async function withSchemaEngine<T>(location: DatabaseLocation, work: (engine: SchemaEngine) => Promise<T>): Promise<T> {
  const { factory, runScript, close } = await connect(location);
  const shadows: PGlite[] = [];
  instantiateOnce();
  const engine = await bindings.SchemaEngine.new(
    { datamodels: [['schema.prisma', readSchema()]] },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory({
      provider: factory.provider,
      adapterName: factory.adapterName,
      connect: async () => withWholeScripts(await factory.connect(), runScript),
      async connectToShadowDb() {
        const shadow = await PGlite.create({ extensions: { pg_trgm } });
        shadows.push(shadow);
        return withWholeScripts(await new PrismaPGlite(shadow).connect(), (script) => shadow.exec(script));
      },
    }),
  );
  try {
    return await work(engine);
  } finally {
    engine.free();
    for (const shadow of shadows) await shadow.close();
    await close();
  }
}

type RunScript = (script: string) => Promise<unknown>;

/** adapter-pg splits a script at every semicolon, and pglite-prisma-adapter does not wait for it. */
function withWholeScripts(adapter: SqlDriverAdapter, runScript: RunScript): SqlDriverAdapter {
  return Object.assign(adapter, { executeScript: async (script: string) => void (await runScript(script)) });
}

async function connect(location: DatabaseLocation): Promise<{
  factory: SqlMigrationAwareDriverAdapterFactory;
  runScript: RunScript;
  close: () => Promise<void>;
}> {
  if ('url' in location) {
    // The engine's lock belongs to its connection.
    const pool = new pg.Pool({ connectionString: location.url, max: 1 });
    return { factory: new PrismaPg(pool), runScript: (script) => pool.query(script), close: () => pool.end() };
  }
  const { pglite, close } = await openEmbedded(location.dataDir);
  return { factory: new PrismaPGlite(pglite), runScript: (script) => pglite.exec(script), close };
}

export function readSchema(): string {
  return readFileSync(path.join(PRISMA_DIR, 'schema.prisma'), 'utf8');
}

/** The gateway's migrations, in the form that the engine takes. */
export function readMigrations(): MigrationsList {
  const names = readdirSync(MIGRATIONS_DIR, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return {
    baseDir: MIGRATIONS_DIR,
    lockfile: {
      path: 'migration_lock.toml',
      content: readFileSync(path.join(MIGRATIONS_DIR, 'migration_lock.toml'), 'utf8'),
    },
    shadowDbInitScript: '',
    migrationDirectories: names.map((name) => ({
      path: name,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok', value: readFileSync(path.join(MIGRATIONS_DIR, name, 'migration.sql'), 'utf8') },
      },
    })),
  };
}

let instantiated = false;

/** The package is made for bundlers, so its module is instantiated by hand. */
function instantiateOnce(): void {
  if (instantiated) return;
  const bindingsFile = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const wasm = readFileSync(path.join(path.dirname(bindingsFile), 'schema_engine_bg.wasm'));
  const imports = Object.fromEntries(
    Object.entries(bindings).map(([name, value]) => [name, name.startsWith('__wbg_setTimeout_') ? setDetachedTimeout : value]),
  );
  const instance = new WebAssembly.Instance(new WebAssembly.Module(wasm), { './schema_engine_bg.js': imports });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  instantiated = true;
}

/** The engine never clears the timer of its lock, which would keep the process from ending for ten seconds. */
function setDetachedTimeout(callback: () => void, delayMs: number): NodeJS.Timeout {
  return setTimeout(callback, delayMs).unref();
}
