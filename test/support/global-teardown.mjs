import { rmSync } from 'node:fs';
import pg from 'pg';

export default async function tearDown() {
  const { server, folder, empty, log } = JSON.parse(process.env.TEST_TEMPLATES);
  if (folder) rmSync(folder, { recursive: true, force: true });
  if (!server) return;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  for (const name of [empty, log]) await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await client.end();
}
