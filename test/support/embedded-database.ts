import { createReadStream } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { buildEventIndexes, dropEventIndexes } from '../../src/database/indexes/build-indexes.js';
import { migrate } from '../../src/database/migrations/migrate.js';
import { openDatabase } from '../../src/database/open.js';
import { importEvents } from '../../src/log-copy/import.js';
import { createImportStore } from '../../src/log-copy/import.store.js';
import type { Content, TestDatabase } from './test-database.js';

/** Temporary folders go here; the end of the run removes it. */
const FOLDER = process.env.TEST_FOLDER ?? '';

const LOG = 'test/recorded/event-log.ndjson';

/** Instances that stay open. Opening one takes a second of CPU time; emptying and filling it takes a fifth of that. */
interface Instance {
  readonly pglite: PGlite;
  /** The folder whose database it stands for; null while no test has it. */
  dataDir: string | null;
}

const instances: Instance[] = [];

const openFolder = PGlite.create.bind(PGlite) as (options: PGliteOptions) => Promise<PGlite>;

/** Opens the instance that stands for the folder, or else the folder itself. */
PGlite.create = (async (options: PGliteOptions) => {
  const instance = instances.find(({ dataDir }) => dataDir !== null && path.join(dataDir, 'pgdata') === options.dataDir);
  if (instance === undefined) return openFolder(options);
  await instance.pglite.exec('DISCARD ALL');
  return leaveOpen(instance.pglite);
}) as typeof PGlite.create;

/** A view of the instance whose `close` does not close it, and after which nothing can be queried through the view. */
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
  letProcessEnd(instance.pglite);
  instances.push(instance);
  return instance;
}

/** PostgreSQL writes its statistics when it was idle for ten seconds. Its timer would keep the process from ending. */
function letProcessEnd(pglite: PGlite): void {
  const run = pglite.execProtocolRawSync.bind(pglite);
  pglite.execProtocolRawSync = (message) => {
    const { setTimeout } = globalThis;
    globalThis.setTimeout = ((work: () => void, ms: number) => setTimeout(work, ms).unref()) as typeof setTimeout;
    try {
      return run(message);
    } finally {
      globalThis.setTimeout = setTimeout;
    }
  };
}

async function fill(dataDir: string, content: Content): Promise<void> {
  if (content === 'nothing') return;
  const database = await openDatabase({ dataDir });
  await migrate(database);
  if (content === 'log') {
    await dropEventIndexes(database);
    await importEvents(createImportStore(database), createReadStream(LOG), () => undefined);
    await buildEventIndexes(database);
  }
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
