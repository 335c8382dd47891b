import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { bindMigrationAwareSqlAdapterFactory, type SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';

export type SchemaEngine = bindings.SchemaEngine;

/** As much of the platform's WebAssembly as is used here; TypeScript declares it with the browser's library only. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: Record<string, object>) => { exports: Record<string, unknown> };
};

/**
 * Prisma's own schema engine as WebAssembly: what `prisma migrate deploy` runs, without the binary that its CLI downloads.
 * The package is made for bundlers, so its module is instantiated by hand. `free()` the engine when done.
 */
export async function startSchemaEngine(
  schema: string,
  adapterFactory: SqlMigrationAwareDriverAdapterFactory,
): Promise<SchemaEngine> {
  instantiateOnce();
  const ignoreLog = () => undefined;
  return bindings.SchemaEngine.new(
    { datamodels: [['schema.prisma', schema]] },
    ignoreLog,
    bindMigrationAwareSqlAdapterFactory(adapterFactory),
  );
}

let instantiated = false;

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

/** The engine never clears the timer of its lock, which would keep a finished command from ending for ten seconds. */
function setDetachedTimeout(callback: () => void, delayMs: number): NodeJS.Timeout {
  return setTimeout(callback, delayMs).unref();
}
