import { createServer } from 'node:http';
import pg from 'pg';

/** The minimal server for the benchmark's pages: node:http and two named statements of node-postgres. It requires no token. */

const OF_FLAG = 'FROM events WHERE feature_name = $1 ORDER BY created_at DESC, id DESC LIMIT $2';
const TOTAL = 'SELECT count(*)::int AS total FROM events WHERE feature_name = $1';

const ROWS = {
  all: `SELECT id, created_at AS "createdAt", type, created_by AS "createdBy", created_by_user_id AS "createdByUserId", environment, project,
    feature_name AS "featureName", data, pre_data AS "preData", tags ${OF_FLAG}`,
  three: `SELECT id, type, created_at AS "createdAt" ${OF_FLAG}`,
};

/** The same page as one JSON text, which the server forwards unchanged. */
const PAGE = `
  SELECT json_build_object('events', coalesce(json_agg(event), '[]'), 'total', (${TOTAL}))::text AS body
  FROM (
    SELECT id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt", type, created_by AS "createdBy",
      created_by_user_id AS "createdByUserId", environment, project, feature_name AS "featureName", data, pre_data AS "preData", tags
    ${OF_FLAG}
  ) AS event`;

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });

/** PostgreSQL parses a named statement once per connection. @type {(name: string, text: string, values: unknown[]) => Promise<pg.QueryResult>} */
const query = (name, text, values) => pool.query({ name, text, values });

/** @type {(fields: 'all' | 'three', values: unknown[]) => Promise<string>} */
async function readRows(fields, values) {
  const [rows, count] = await Promise.all([query(fields, ROWS[fields], values), query('total', TOTAL, [values[0]])]);
  return JSON.stringify({ events: rows.rows, total: count.rows[0].total });
}

/** @type {(values: unknown[]) => Promise<string>} */
async function readText(values) {
  return (await query('text', PAGE, values)).rows[0].body;
}

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const values = [searchParams.get('feature'), searchParams.get('limit')];
  try {
    const body = await (pathname === '/text' ? readText(values) : readRows(pathname === '/three' ? 'three' : 'all', values));
    response
      .writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) })
      .end(body);
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});

server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  process.stderr.write(`bare is ready at http://127.0.0.1:${port}\n`);
});
