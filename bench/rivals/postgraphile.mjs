import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * Starts the PostGraphile 5 that is installed in a folder: `node postgraphile.mjs <folder>`. It is configured as its documentation says for
 * production: as a library with the preset "amber", without GraphiQL, with its prepared statements and the default pool of `pg`.
 * `outputDataAsString` is off by default. It is on here, because it saves some of its CPU time. It requires no token.
 */
const require = createRequire(path.join(process.argv[2] ?? '', 'package.json'));
const { postgraphile } = require('postgraphile');
const { PostGraphileAmberPreset } = require('postgraphile/presets/amber');
const { makePgService } = require('postgraphile/adaptors/pg');
const { grafserv } = require('postgraphile/grafserv/node');

const service = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString: process.env.DATABASE_URL, schemas: ['public'] })],
  grafserv: { graphiql: false, watch: false, outputDataAsString: true },
}).createServ(grafserv);

const server = createServer();
await service.addTo(server);
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  process.stderr.write(`PostGraphile is ready at http://127.0.0.1:${port}\n`);
});
