import { createReadStream, existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { migrate } from '../../src/database/migrations/migrate.js';
import { openDatabase } from '../../src/database/open.js';
import { importLog } from '../../src/log-copy/import-log.js';
import type { Content, TestDatabase } from './test-database.js';

/** Temporary folders go here; the end of the run removes it. */
const FOLDER = process.env.TEST_FOLDER ?? '';

const LOG = 'test/recorded/event-log.ndjson';

/** Instances that stay open. Opening one takes a second of CPU time; emptying and filling it takes a fifth of that. */
interface Instance {
  readonly pglite: PGlite;
  /** The folder that it stands for; null while no test uses it. */
  dataDir: string | null;
}

const instances: Instance[] = [];

const create = PGlite.create.bind(PGlite) as (options: PGliteOptions) => Promise<PGlite>;

/** Opens the instance that stands for the folder, or else the folder itself. */
PGlite.create = (async (options: PGliteOptions) => {
  const instance = instances.find(({ dataDir }) => dataDir !== null && path.join(dataDir, 'pgdata') === options.dataDir);
  if (instance === undefined) return openFolder(options);
  await instance.pglite.exec('DISCARD ALL');
  return leaveOpen(instance.pglite);
}) as typeof PGlite.create;

/** The files of a new database, as a tar archive. Unpacking them takes a third of the CPU time of `initdb`. */
let newDatabase: Promise<File | Blob> | undefined;

async function openFolder(options: PGliteOptions): Promise<PGlite> {
  const exists = options.dataDir !== undefined && existsSync(path.join(options.dataDir, 'PG_VERSION'));
  // PGlite creates another instance with `noInitDb` to run `initdb`.
  if (exists || options.noInitDb) return create(options);
  newDatabase ??= create({}).then(async (pglite) => {
    const files = await pglite.dumpDataDir('none');
    await pglite.close();
    return files;
  });
  return create({ ...options, loadDataDir: await newDatabase });
}

// PostgreSQL writes its statistics when it was idle for ten seconds. PGlite's timer for that would keep the process from ending.
globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
  apply(setTimeout, self, args) {
    const timer = Reflect.apply(setTimeout, self, args);
    return String(args[0]).includes('__emscripten_timeout') ? timer.unref() : timer;
  },
});

/** A view of the instance. Its `close` closes the view, so that later queries through it fail, and leaves the instance open. */
function leaveOpen(pglite: PGlite): PGlite {
  let isClosed = false;
  return new Proxy(pglite, {
    get(target, key) {
      if (key === 'closed') return isClosed;
      if (key === 'close') {
        return async () => {
          isClosed = true;
          // A query that runs ends before the next test uses the instance.
          await target.exec('');
        };
      }
      if (isClosed) throw new Error('PGlite is closed');
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** A database that only this process can open. Nothing is in its folder but the lock. */
export async function createEmbeddedDatabase(content: Content): Promise<TestDatabase> {
  const dataDir = await mkdtemp(path.join(FOLDER, 'data-'));
  const instance = await takeInstance(dataDir);
  // DISCARD ALL may stand in no transaction, and several statements in one text are one.
  for (const sql of ['ROLLBACK', 'DISCARD ALL', 'DROP SCHEMA public CASCADE; CREATE SCHEMA public'])
    await instance.pglite.exec(sql);
  await fill(dataDir, content);
  return toTestDatabase(dataDir, () => {
    instance.dataDir = null;
  });
}

/** Whether processes cannot open the database of the folder. */
export const isWithinProcess = (dataDir: string): boolean => instances.some((instance) => instance.dataDir === dataDir);

async function takeInstance(dataDir: string): Promise<Instance> {
  const unused = instances.find((instance) => instance.dataDir === null);
  if (unused !== undefined) {
    unused.dataDir = dataDir;
    return unused;
  }
  const instance = { pglite: await openFolder({ extensions: { pg_trgm } }), dataDir };
  instances.push(instance);
  return instance;
}

async function fill(dataDir: string, content: Content): Promise<void> {
  if (content === 'nothing') return;
  const database = await openDatabase({ dataDir });
  await migrate(database);
  if (content === 'log') await importLog(database, createReadStream(LOG));
  await database.close();
}

const templates = new Map<Content, Promise<string>>();

/** A database in a folder, as users have it, which any process can open while no other has it open. */
export async function createEmbeddedFolder(content: Content): Promise<TestDatabase> {
  const dataDir = await mkdtemp(path.join(FOLDER, 'data-'));
  if (content !== 'nothing') {
    const template = templates.get(content) ?? makeTemplate(content);
    templates.set(content, template);
    await cp(path.join(await template, 'pgdata'), path.join(dataDir, 'pgdata'), { recursive: true });
  }
  return toTestDatabase(dataDir, () => undefined);
}

async function makeTemplate(content: Content): Promise<string> {
  const folder = await mkdtemp(path.join(FOLDER, 'template-'));
  await fill(folder, content);
  return folder;
}

function toTestDatabase(dataDir: string, release: () => void): TestDatabase {
  return {
    location: { dataDir },
    env: { DATA_DIR: dataDir },
    async drop() {
      release();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
