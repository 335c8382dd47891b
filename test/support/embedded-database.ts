import { createReadStream } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { serveDatabase } from '../../src/database/embedded/database-server.js';
import { openEmbedded } from '../../src/database/embedded/embedded.js';
import { type Engine, startEngine } from '../../src/database/embedded/engine.js';
import { migrate } from '../../src/database/migrations/migrate.js';
import { openDatabase } from '../../src/database/open.js';
import { importLog } from '../../src/log-copy/import-log.js';
import type { Content, TestDatabase } from './test-database.js';

/** The folder for temporary folders, which is removed at the end of the run. */
const FOLDER = process.env.TEST_FOLDER ?? '';

const LOG = 'test/recorded/event-log.ndjson';

/** Engines that no test uses. They stay open: starting one takes a second of CPU time, and emptying it a twentieth of that. */
const unused: Engine[] = [];

/**
 * A database for one test file, which this process serves on the socket of a folder. It is in memory: nothing else is in the folder.
 * Code under test finds a process that serves the database, and connects to it.
 */
export async function createEmbeddedDatabase(content: Content): Promise<TestDatabase> {
  const dataDir = await mkdtemp(path.join(FOLDER, 'data-'));
  const engine = unused.pop() ?? (await startEngine({}));
  let isUsable = true;
  const leftOpen: Engine = {
    ...engine,
    async kill() {
      isUsable = false;
      await engine.kill();
    },
    close: async () => undefined,
  };
  const server = await serveDatabase(dataDir, async () => leftOpen);
  await empty(dataDir);
  await fill(dataDir, content);
  return toTestDatabase(dataDir, async () => {
    await server.close?.();
    if (isUsable) unused.push(engine);
  });
}

async function empty(dataDir: string): Promise<void> {
  const { client: config } = await openEmbedded(dataDir);
  const client = new pg.Client(config);
  await client.connect();
  // DISCARD ALL cannot run in a transaction, and several statements in one text are one transaction.
  for (const sql of ['ROLLBACK', 'DISCARD ALL', "SET TIME ZONE 'UTC'", 'DROP SCHEMA public CASCADE; CREATE SCHEMA public'])
    await client.query(sql);
  await client.end();
}

async function fill(dataDir: string, content: Content): Promise<void> {
  if (content === 'nothing') return;
  const database = await openDatabase({ dataDir });
  await migrate(database);
  if (content === 'log') await importLog(database, createReadStream(LOG));
  await database.close();
}

const templates = new Map<Content, Promise<string>>();

/** A database in the files of a folder, as users have it. */
export async function createEmbeddedFolder(content: Content): Promise<TestDatabase> {
  const dataDir = await mkdtemp(path.join(FOLDER, 'data-'));
  if (content !== 'nothing') {
    const template = templates.get(content) ?? makeTemplate(content);
    templates.set(content, template);
    await cp(path.join(await template, 'pgdata'), path.join(dataDir, 'pgdata'), { recursive: true });
  }
  return toTestDatabase(dataDir, async () => undefined);
}

async function makeTemplate(content: Content): Promise<string> {
  const folder = await mkdtemp(path.join(FOLDER, 'template-'));
  await fill(folder, content);
  return folder;
}

function toTestDatabase(dataDir: string, release: () => Promise<void>): TestDatabase {
  return {
    location: { dataDir },
    env: { DATA_DIR: dataDir },
    async drop() {
      await release();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
