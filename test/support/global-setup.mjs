import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Makes the folder of the embedded databases. On the PostgreSQL server that TEST_DATABASE_URL names, makes two template databases,
 * one migrated and empty, one with the recorded log, which each test file copies.
 */
export default async function setUp() {
  process.env.TEST_FOLDER = mkdtempSync(path.join(tmpdir(), 'gateway-test-'));
  const server = process.env.TEST_DATABASE_URL;
  if (server) process.env.TEST_TEMPLATES = JSON.stringify(await makePostgresTemplates(server));
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

function gateway(env, ...args) {
  execFileSync(process.execPath, ['dist/main.js', ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
