import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { DatabaseLocation } from '../../src/database/open.js';
import { createEmbeddedDatabase, createEmbeddedFolder } from './embedded-database.js';

export interface TestDatabase {
  readonly location: DatabaseLocation;
  /** The environment by which a command finds it. */
  readonly env: Readonly<Record<string, string>>;
  drop(): Promise<void>;
}

/** Nothing, the gateway's empty tables, or the recorded log in them. */
export type Content = 'nothing' | 'empty' | 'log';

export const isPostgres = process.env.TEST_DATABASE_URL !== undefined;

/** A database of its own for one test file. Other processes can open it while this one runs. */
export const createTestDatabase = (content: Content): Promise<TestDatabase> =>
  isPostgres ? copyTemplate(content) : createEmbeddedDatabase(content);

/** A database for one test file. An embedded one is in files: a process that the test starts serves it, and may be killed. */
export const createDatabaseInFiles = (content: Content): Promise<TestDatabase> =>
  isPostgres ? copyTemplate(content) : createEmbeddedFolder(content);

async function copyTemplate(content: Content): Promise<TestDatabase> {
  const { server, ...templates } = JSON.parse(process.env.TEST_TEMPLATES ?? '{}') as {
    server: string;
    empty: string;
    log: string;
  };
  const name = `gateway_test_${randomUUID().replaceAll('-', '')}`;
  await runOn(server, `CREATE DATABASE ${name} ${content === 'nothing' ? '' : `TEMPLATE ${templates[content]}`}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    location: { url: url.href },
    env: { DATABASE_URL: url.href },
    drop: () => runOn(server, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

async function runOn(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(sql);
  await client.end();
}
