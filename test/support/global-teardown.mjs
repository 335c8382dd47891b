import { rmSync } from 'node:fs';
import pg from 'pg';

export default async function tearDown() {
  rmSync(process.env.TEST_FOLDER, { recursive: true, force: true });
  if (!process.env.TEST_TEMPLATES) return;
  const { server, empty, log } = JSON.parse(process.env.TEST_TEMPLATES);
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  for (const name of [empty, log]) await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await client.end();
}
