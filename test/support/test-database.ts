import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { DatabaseLocation } from '../../src/database/open.js';

export interface TestDatabase {
  readonly location: DatabaseLocation;
  /** The environment by which a command finds it. */
  readonly env: Readonly<Record<string, string>>;
  drop(): Promise<void>;
}

export const isPostgres = process.env.TEST_DATABASE_URL !== undefined;

const templates = JSON.parse(process.env.TEST_TEMPLATES ?? '{}') as { server?: string; empty: string; log: string };

/** A database of its own for one test file: with nothing in it, migrated and empty, or with the recorded log. */
export async function createTestDatabase(content: 'nothing' | 'empty' | 'log'): Promise<TestDatabase> {
  return templates.server === undefined ? copyFolder(content) : copyDatabase(templates.server, content);
}

async function copyFolder(content: 'nothing' | 'empty' | 'log'): Promise<TestDatabase> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'gateway-test-'));
  if (content !== 'nothing') await cp(path.join(templates[content], 'pgdata'), path.join(dataDir, 'pgdata'), { recursive: true });
  return {
    location: { dataDir },
    env: { DATA_DIR: dataDir },
    drop: () => rm(dataDir, { recursive: true, force: true }),
  };
}

async function copyDatabase(server: string, content: 'nothing' | 'empty' | 'log'): Promise<TestDatabase> {
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
