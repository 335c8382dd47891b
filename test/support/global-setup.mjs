import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Makes two template databases, one migrated and empty, one with the recorded log, which each test file copies: on the PostgreSQL server
 * that TEST_DATABASE_URL names, or embedded ones in a temporary folder.
 */
export default async function setUp() {
  const server = process.env.TEST_DATABASE_URL;
  const templates = server ? await makePostgresTemplates(server) : makeEmbeddedTemplates();
  process.env.TEST_TEMPLATES = JSON.stringify(templates);
}

async function makePostgresTemplates(server) {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  const prefix = `gateway_test_${process.pid}`;
  const names = { empty: `${prefix}_empty`, log: `${prefix}_log` };
  await client.query(`CREATE DATABASE ${names.empty}`);
  gateway({ DATABASE_URL: databaseUrl(server, names.empty) }, 'migrate');
  await client.query(`CREATE DATABASE ${names.log} TEMPLATE ${names.empty}`);
  gateway({ DATABASE_URL: databaseUrl(server, names.log) }, 'import', 'test/recorded/event-log.ndjson');
  await client.end();
  return { server, ...names };
}

function databaseUrl(server, database) {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

function makeEmbeddedTemplates() {
  const folder = mkdtempSync(path.join(tmpdir(), 'gateway-test-'));
  const [empty, log] = [path.join(folder, 'empty'), path.join(folder, 'log')];
  gateway({ DATA_DIR: empty }, 'migrate');
  cpSync(path.join(empty, 'pgdata'), path.join(log, 'pgdata'), { recursive: true });
  gateway({ DATA_DIR: log }, 'import', 'test/recorded/event-log.ndjson');
  return { folder, empty, log };
}

function gateway(env, ...args) {
  execFileSync(process.execPath, ['dist/main.js', ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
