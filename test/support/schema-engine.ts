import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';
import { openEmbedded } from '../../src/database/embedded/embedded.js';
import type { DatabaseLocation } from '../../src/database/open.js';
import { createEmbeddedDatabase } from './embedded-database.js';

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
  const closers = [close];
  instantiateOnce();
  const engine = await bindings.SchemaEngine.new(
    { datamodels: [['schema.prisma', readSchema()]] },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory({
      provider: factory.provider,
      adapterName: factory.adapterName,
      connect: async () => adaptToEngine(await factory.connect(), runScript),
      async connectToShadowDb() {
        const shadow = await createEmbeddedDatabase('nothing');
        closers.push(shadow.drop);
        const connected = await connect(shadow.location);
        closers.push(connected.close);
        return adaptToEngine(await connected.factory.connect(), connected.runScript);
      },
    }),
  );
  try {
    return await work(engine);
  } finally {
    engine.free();
    for (const close of closers.reverse()) await close();
  }
}

/** The types of PostgreSQL's catalogs that adapter-pg does not know (`"char"`), and one that it knows. */
const CHAR = 18;
const TEXT = 25;

/** The columns of the latest result that have the type `"char"`. */
let charColumns: number[] = [];

/** Returns columns of the type `"char"` as text to adapter-pg. */
class EngineClient extends pg.Client {
  override query(...args: unknown[]): never {
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      args[args.length - 1] = (error: unknown, result: unknown) => callback(error, withoutChar(result));
    }
    const running: unknown = super.query(...(args as [string]));
    return (running instanceof Promise ? running.then(withoutChar) : running) as never;
  }
}

function withoutChar(result: unknown): unknown {
  const { fields = [] } = (result ?? {}) as Partial<pg.QueryResult>;
  charColumns = [...fields.keys()].filter((index) => fields[index]?.dataTypeID === CHAR);
  for (const index of charColumns) Object.assign(fields[index] ?? {}, { dataTypeID: TEXT });
  return result;
}

type RunScript = (script: string) => Promise<unknown>;

/** Lets adapter-pg run scripts without splitting them at every semicolon, and return columns of the type `"char"`. */
function adaptToEngine(adapter: SqlDriverAdapter, runScript: RunScript): SqlDriverAdapter {
  const queryRaw = adapter.queryRaw.bind(adapter);
  return Object.assign(adapter, {
    executeScript: async (script: string) => void (await runScript(script)),
    async queryRaw(query: Parameters<typeof queryRaw>[0]) {
      const result = await queryRaw(query);
      const columnTypes = result.columnTypes.map((type, index) =>
        charColumns.includes(index) ? ColumnTypeEnum.Character : type,
      );
      return { ...result, columnTypes };
    },
  });
}

async function connect(location: DatabaseLocation): Promise<{
  factory: SqlMigrationAwareDriverAdapterFactory;
  runScript: RunScript;
  close: () => Promise<void>;
}> {
  const embedded = 'url' in location ? null : await openEmbedded(location.dataDir);
  // The engine's lock belongs to its connection.
  const pool = new pg.Pool({
    ...('url' in location ? { connectionString: location.url } : embedded?.client),
    max: 1,
    Client: EngineClient,
  });
  return {
    factory: new PrismaPg(pool),
    runScript: (script) => pool.query(script),
    async close() {
      await pool.end();
      await embedded?.close();
    },
  };
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
