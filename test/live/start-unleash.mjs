import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Starts the Unleash server that is installed in a folder: `node start-unleash.mjs <folder>`. The environment configures it.
 * Prints READY on standard output, and the URL on standard error.
 */
const folder = path.join(process.argv[2] ?? '', 'node_modules', 'unleash-server');
const { main } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
const server = await import(pathToFileURL(path.join(folder, main ?? 'dist/lib/server-impl.js')).href);
await (server.start ?? server.default.start)();
process.stdout.write('READY\n');
process.stderr.write(`Unleash is ready at ${process.env.UNLEASH_URL}\n`);
