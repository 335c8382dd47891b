// A step of the build: packs the files of a new database, because creating them by `initdb` takes seconds.
import { existsSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The file of the packed database. In `src` and in the build, the relative path leads to the same file. */
export const NEW_DATABASE = fileURLToPath(new URL('../../../dist/new-database.tar.gz', import.meta.url));

/** Packs the files, unless they were already packed with the installed version of PGlite. */
export async function packNewDatabase() {
  const installedAt = statSync(createRequire(import.meta.url).resolve('@electric-sql/pglite')).ctimeMs;
  if (existsSync(NEW_DATABASE) && statSync(NEW_DATABASE).mtimeMs > installedAt) return;
  const { PGlite } = await import('@electric-sql/pglite');
  const pglite = await PGlite.create();
  const files = await pglite.dumpDataDir('gzip');
  await pglite.close();
  writeFileSync(`${NEW_DATABASE}.new`, Buffer.from(await files.arrayBuffer()));
  renameSync(`${NEW_DATABASE}.new`, NEW_DATABASE);
}

if (import.meta.filename === process.argv[1]) await packNewDatabase();
